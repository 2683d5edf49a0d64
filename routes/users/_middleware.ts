import { define, signedIn } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";

/** Pages of the server are only for its admins. Other users get a 404. */
export default define.middleware((ctx) => {
  if (!signedIn(ctx.state).admin) throw notFound();
  return ctx.next();
});
