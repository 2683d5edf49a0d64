import { define, signedIn } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";

/** The accounts of the server are for its admins; for others these pages are not there. */
export default define.middleware((ctx) => {
  if (!signedIn(ctx.state).admin) throw notFound();
  return ctx.next();
});
