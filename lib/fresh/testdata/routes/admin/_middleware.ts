import { define } from "../../state.ts";

export default define.middleware((ctx) => {
  ctx.state.trail.push("admin");
  return ctx.next();
});
