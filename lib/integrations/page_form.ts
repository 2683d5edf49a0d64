import type { FormValues } from "../http/form.ts";
import { integrationForm } from "./schema.ts";

/** The methods whose header is chosen; GitHub's has one name. */
const METHODS_WITH_HEADER = ["token", "hmac"];

/** What the page asks for: a method without a secret or header would refuse every call. */
export const integrationPageForm = integrationForm.superRefine((form, ctx) => {
  const require = (field: "auth_header" | "auth_secret_id") => {
    if (form[field]) return;
    ctx.addIssue({ code: "custom", path: [field], message: "errors.required" });
  };
  if (METHODS_WITH_HEADER.includes(form.auth_method)) require("auth_header");
  if (form.auth_method !== "") require("auth_secret_id");
});

/** What was typed, without what the chosen method does not need: its fields are hidden. */
export function neededValues({ auth_header, auth_secret_id, ...values }: FormValues): FormValues {
  const { auth_method = "" } = values;
  return {
    ...values,
    ...(METHODS_WITH_HEADER.includes(auth_method) && { auth_header }),
    ...(auth_method !== "" && { auth_secret_id }),
  };
}
