import { openAccount } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { resetSecondFactor } from "@/lib/people/factors/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.user(pageId(ctx.params.userId))), 303),

  /** Removes the second factor of a user who has lost it. */
  async POST(ctx) {
    const userId = pageId(ctx.params.userId);
    await resetSecondFactor(openAccount(userScope(ctx.state), userId));
    return seeOther(ctx, paths.user(userId), "flash.users.factor_reset");
  },
});
