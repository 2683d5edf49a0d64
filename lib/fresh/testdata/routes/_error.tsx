import { HttpError } from "fresh";
import { define } from "../state.ts";

export default define.page(({ error }) => (
  <p class="error">{error instanceof HttpError ? `Status ${error.status}` : "A bug"}</p>
));
