import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { FormErrors } from "../ui/Form.tsx";

interface TrialProps<Found> {
  ui: Ui;
  button: string;
  /** What will be done. */
  hint: string;
  labels: Record<string, string>;
  /** What came of it; null when it was not tried. */
  trial: SubmittedForm<Found> | null;
  /** Stands below what went wrong. */
  help?: ComponentChildren;
  /** Shows what was found. */
  children: (found: Found) => ComponentChildren;
}

/** The name of the button that tries what a form says, and stores nothing. */
const TRIAL = "trial";

/** A button in a form that tries what is typed, and what came of it. */
export function Trial<Found>(
  { ui, button, hint, labels, trial, help, children }: TrialProps<Found>,
) {
  return (
    <section id={TRIAL} class="trial">
      <div class="trial-button">
        <Button
          name={TRIAL}
          value="typed"
          formNoValidate
          formaction={`#${TRIAL}`}
          data-stay
        >
          {button}
        </Button>
        <p class="field-hint">{hint}</p>
      </div>
      {trial && !trial.ok && (
        <div class="trial-outcome">
          <FormErrors ui={ui} form={trial} labels={labels} />
          {help}
        </div>
      )}
      {trial?.ok && (
        <div class="trial-outcome" role="status">
          <Alert kind="success">{children(trial.result)}</Alert>
        </div>
      )}
    </section>
  );
}
