import { define } from "../../state.ts";

export default define.page(({ params }) => <p>post {params.slug}</p>);
