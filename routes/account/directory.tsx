import { paths } from "@/lib/base/paths.ts";
import { directoryLinkForm } from "@/lib/people/sessions/schema.ts";
import { linkDirectory } from "@/lib/people/sessions/service.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { securityForm } from "@/routes/(_pages)/account/security.tsx";

/** Links the account to a person of the directory. */
export const handler = securityForm("directory", {
  parse: (typed) => parseValues(typed, directoryLinkForm),
  save: ({ scope, value }) => linkDirectory(scope, value),
  shownStatuses: [400, 403, 409, 429, 503],
  next: () => [paths.account("security"), "flash.account.linked"],
});

export { SecurityPage as default } from "@/routes/(_pages)/account/security.tsx";
