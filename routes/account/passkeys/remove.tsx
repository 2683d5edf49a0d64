import { OwnerPage, ownerQuestion } from "@/routes/(_pages)/account/owner_question.tsx";
import { paths } from "@/lib/base/paths.ts";
import { deletePasskey } from "@/lib/people/passkeys/service.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("security")), 303),

  /** Removes the named passkey. */
  POST: (ctx) =>
    ownerQuestion(ctx, deletePasskey, {
      label: "passkeys.remove",
      path: paths.passkeys("/remove"),
      name: "passkey",
      done: "flash.account.passkey_removed",
    }),
});

export default OwnerPage;
