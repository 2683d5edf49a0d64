import { OwnerPage, ownerQuestion } from "@/routes/(_pages)/account/owner_question.tsx";
import { paths } from "@/lib/base/paths.ts";
import { unlinkProvider } from "@/lib/people/group_rules/take_back.ts";

/** Unlinks the named provider. */
export const handler = ownerQuestion(unlinkProvider, {
  label: "identities.unlink",
  path: paths.accountLinks("/remove"),
  name: "unlink",
  done: "flash.account.unlinked",
});

export default OwnerPage;
