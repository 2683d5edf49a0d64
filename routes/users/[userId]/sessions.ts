import { define, signedIn } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { endSession, endSessions } from "@/lib/people/sessions/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.user(pageId(ctx.params.userId))), 303),

  /** Ends the session that is named, or all. */
  async POST(ctx) {
    const { deps } = ctx.state;
    const userId = pageId(ctx.params.userId);
    const { session } = await readForm(ctx.req);
    if (session) await endSession(deps, signedIn(ctx.state), userId, session);
    else await endSessions(deps, signedIn(ctx.state), userId);
    return seeOther(ctx, paths.user(userId), "flash.account.sessions_ended");
  },
});
