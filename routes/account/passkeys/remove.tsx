import { OwnerPage, ownerQuestion } from "@/routes/(_pages)/account/owner_question.tsx";
import { paths } from "@/lib/base/paths.ts";
import { deletePasskey } from "@/lib/people/passkeys/service.ts";

/** Removes the named passkey. */
export const handler = ownerQuestion(deletePasskey, {
  label: "passkeys.remove",
  path: paths.passkeys("/remove"),
  name: "passkey",
  done: "flash.account.passkey_removed",
});

export default OwnerPage;
