import { define } from "../../state.ts";

export const handler = define.handlers((ctx) =>
  new Response(`${ctx.req.method} ${ctx.params.path}`)
);
