import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Button } from "../ui/Button.tsx";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";
import { Logo } from "../ui/Logo.tsx";

interface CodeStepProps {
  ui: Ui;
  form: FormState;
  /** Query of the page's address, which names the page to continue to. */
  query: string;
}

/** Asks for a code of the app, or a recovery code, after the password. */
export function CodeStep({ ui, form, query }: CodeStepProps) {
  const labels = { code: ui.t("factors.code") };
  // A code is valid once, so a used one is not shown again.
  const blank = { ...form, values: { ...form.values, code: "" } };
  return (
    <>
      <div class="grid justify-items-center gap-2">
        <Logo class="w-16 h-16" />
        <h1>{ui.t("code_step.title")}</h1>
      </div>
      <form
        method="post"
        action={ui.href(paths.signInCode()) + query}
        class="card grid grid-cols-1 gap-4"
      >
        <FormErrors ui={ui} form={form} labels={labels} />
        <Field
          ui={ui}
          form={blank}
          name="code"
          label={labels.code}
          hint={ui.t("code_step.hint")}
          autocomplete="one-time-code"
          required
          autofocus
        />
        <Checkbox ui={ui} form={form} name="remember" label={ui.t("code_step.remember")} />
        <Button kind="primary">{ui.t("actions.sign_in")}</Button>
        <a href={ui.href(paths.signIn() + query)}>{ui.t("code_step.other")}</a>
      </form>
    </>
  );
}
