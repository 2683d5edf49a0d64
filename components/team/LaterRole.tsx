import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Form } from "../ui/Form.tsx";

/** A role that someone else has changed in the meantime. */
export const LaterRole = (
  { ui, form, action }: { ui: Ui; form: FormState; action: string },
) => (
  <section class="card">
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={action}
      save={ui.t("actions.save")}
      labels={{ role: ui.t("team.role") }}
    >
      <input type="hidden" name="user_id" value={form.values.user_id} />
      <input type="hidden" name="role" value={form.values.role} />
    </Form>
  </section>
);
