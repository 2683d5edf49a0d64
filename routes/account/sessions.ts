import { define, ownAccount } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { endSession, endSessions } from "@/lib/people/sessions/open_sessions.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("security")), 303),

  /** Ends the named session, or all except the current one. */
  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const { session } = await readForm(ctx.req);
    if (session) await endSession(account, session);
    else await endSessions(account);
    return seeOther(ctx, paths.account("security"), "flash.account.sessions_ended");
  },
});
