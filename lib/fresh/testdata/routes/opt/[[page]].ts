import { define } from "../../state.ts";

export const handler = define.handlers({
  GET: (ctx) => new Response(`page ${ctx.params.page || "none"} of ${ctx.route}`),
});
