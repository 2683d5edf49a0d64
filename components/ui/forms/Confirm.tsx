import type { ComponentChildren } from "preact";
import type { Ui } from "../../../lib/i18n/ui.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";
import { Dialog } from "../Dialog.tsx";
import { Form } from "./Form.tsx";

interface ConfirmProps {
  ui: Ui;
  title: string;
  question: string;
  /** Addresses of the confirming form and of "Cancel". */
  action: string;
  cancel: string;
  /** Label of the confirming button. */
  yes: string;
  form?: FormState;
  labels?: Record<string, string>;
  /** Whether the action takes nothing away, so that its button is no alarm. */
  harmless?: boolean;
  /** Further fields, such as the name that must be typed. */
  children?: ComponentChildren;
}

/** Asks before an action, which mostly cannot be undone. */
export function Confirm(
  { ui, title, question, action, cancel, yes, form, labels, harmless, children }: ConfirmProps,
) {
  return (
    <Dialog ui={ui} id="confirm" title={title} close={cancel}>
      <Form
        ui={ui}
        form={form ?? { values: {}, errors: {} }}
        action={action}
        cancel={cancel}
        save={yes}
        labels={labels}
        danger={!harmless}
      >
        <p class="m-0">{question}</p>
        {children}
      </Form>
    </Dialog>
  );
}
