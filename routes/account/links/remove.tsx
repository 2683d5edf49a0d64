import { OwnerPage, ownerQuestion } from "@/routes/(_pages)/account/owner_question.tsx";
import { paths } from "@/lib/base/paths.ts";
import { unlinkProvider } from "@/lib/people/group_rules/take_back.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("security")), 303),

  /** Unlinks the named provider. */
  POST: (ctx) =>
    ownerQuestion(ctx, unlinkProvider, {
      label: "identities.unlink",
      path: paths.accountLinks("/remove"),
      name: "unlink",
      done: "flash.account.unlinked",
    }),
});

export default OwnerPage;
