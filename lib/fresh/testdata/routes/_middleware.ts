import { define } from "../state.ts";

export const handler = define.middleware([
  (ctx) => {
    ctx.state.trail = ["first"];
    return ctx.next();
  },
  async (ctx) => {
    ctx.state.trail.push("second");
    const response = await ctx.next();
    response.headers.set("X-Trail", ctx.state.trail.join(" "));
    return response;
  },
]);
