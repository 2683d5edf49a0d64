import { define } from "../../state.ts";

export default define.page(({ error }) => <p class="admin-error">{(error as Error).message}</p>);
