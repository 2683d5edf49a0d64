import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { FormErrors } from "../ui/Form.tsx";

interface TrialProps<Found> {
  ui: Ui;
  /** What is tried; apart from the other trial of a form that has two. */
  way?: string;
  button: string;
  /** What will be done. */
  hint: string;
  labels: Record<string, string>;
  /** What came of it; null when it was not tried. */
  trial: SubmittedForm<Found> | null;
  /** Whether all of it is as one wishes. */
  isWhole?: (found: Found) => boolean;
  /** Stands below what went wrong. */
  help?: ComponentChildren;
  /** Shows what was found. */
  children: (found: Found) => ComponentChildren;
}

/** A button in a form that tries what is typed, and what came of it. */
export function Trial<Found>(
  { ui, way = "typed", button, hint, labels, trial, isWhole = () => true, help, children }:
    TrialProps<Found>,
) {
  const id = `trial-${way}`;
  return (
    <section id={id} class="trial">
      <div class="trial-button">
        <Button
          name="trial"
          value={way}
          formNoValidate
          formaction={`#${id}`}
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
          <Alert kind={isWhole(trial.result) ? "success" : "warning"}>
            {children(trial.result)}
          </Alert>
        </div>
      )}
    </section>
  );
}
