import { requireAdmin } from "@/lib/access/scope.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { countWaiting } from "@/lib/people/identities/waiting.ts";

/** Redirects to the people who wait for an admin, or else to the first page of the server. */
export const handler = define.handlers({
  async GET(ctx) {
    const { ui } = ctx.state;
    const waiting = await countWaiting(requireAdmin(userScope(ctx.state)));
    return ctx.redirect(ui.href(waiting > 0 ? paths.waitingPeople() : paths.users()), 303);
  },
});
