import { evenIfFieldsFail } from "@/lib/base/fields.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { chosenTarget } from "@/lib/triggers/trigger_target.ts";
import { type AuthMethod, integrationForm, isOpen } from "@/lib/triggers/integrations/schema.ts";

/** Methods with a configurable header. Those of services have a fixed one. */
const METHODS_WITH_HEADER = ["token", "hmac", "hmac-sha512"];

/** Schema of the page's form. A method without a secret or header would refuse every call. */
export const integrationPageForm = integrationForm.superRefine((form, ctx) => {
  const require = (field: "auth_header" | "auth_secret_id") => {
    if (form[field]) return;
    ctx.addIssue({ code: "custom", path: [field], message: "errors.required" });
  };
  if (METHODS_WITH_HEADER.includes(form.auth_method)) require("auth_header");
  if (!isOpen(form.auth_method)) require("auth_secret_id");
}, evenIfFieldsFail);

/**
 * Returns the values without the fields that the chosen method does not need, which are hidden. The
 * chosen object becomes one of two members.
 */
export function neededValues({ auth_header, auth_secret_id, ...values }: FormValues): FormValues {
  const { auth_method = "" } = values;
  const { template_id, workflow_id } = chosenTarget(values.template_id);
  return {
    ...values,
    template_id: String(template_id ?? ""),
    workflow_id: String(workflow_id ?? ""),
    ...(METHODS_WITH_HEADER.includes(auth_method) && { auth_header }),
    ...(!isOpen(auth_method as AuthMethod) && { auth_secret_id }),
  };
}
