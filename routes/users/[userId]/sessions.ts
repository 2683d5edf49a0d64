import { define, signedIn } from "@/lib/deps.ts";
import { readForm } from "@/lib/http/form.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { paths } from "@/lib/http/paths.ts";
import { seeOther } from "@/lib/http/see_other.ts";
import { endSession, endSessions } from "@/lib/sessions/service.ts";

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
