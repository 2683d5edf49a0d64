import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { FormErrors } from "../ui/forms/Form.tsx";

interface ConnectionTestProps<Found> {
  ui: Ui;
  /** Name of the test, which distinguishes it from another one in the same form. */
  way?: string;
  button: string;
  /** Description of the test. */
  hint: string;
  labels: Record<string, string>;
  /** Result of the test; null if it has not run. */
  test: SubmittedForm<Found> | null;
  /** Whether the result is a full success. */
  isWhole?: (found: Found) => boolean;
  /** Help below the errors. */
  help?: ComponentChildren;
  children: (found: Found) => ComponentChildren;
}

/** A button in a form that tests the typed values, and the result of the test. */
export function ConnectionTest<Found>(
  { ui, way = "typed", button, hint, labels, test, isWhole = () => true, help, children }:
    ConnectionTestProps<Found>,
) {
  const id = `connection-test-${way}`;
  return (
    <section id={id} class="connection-test">
      <div class="connection-test-button">
        <Button
          name="test"
          value={way}
          formNoValidate
          formaction={`#${id}`}
          data-stay="test"
        >
          {button}
        </Button>
        <p class="field-hint">{hint}</p>
      </div>
      {test && !test.ok && (
        <div class="connection-test-outcome">
          <FormErrors ui={ui} form={test} labels={labels} />
          {help}
        </div>
      )}
      {test?.ok && (
        <div class="connection-test-outcome" role="status">
          <Alert kind={isWhole(test.result) ? "success" : "warning"}>
            {children(test.result)}
          </Alert>
        </div>
      )}
    </section>
  );
}

const SHOWN_MAX = 50;

/** A list in a disclosure. A long list is cut off. */
export function Names({ ui, title, names }: { ui: Ui; title: string; names: string[] }) {
  if (names.length === 0) return null;
  const more = names.length - SHOWN_MAX;
  return (
    <details class="connection-test-names">
      <summary>{title}</summary>
      <ul>
        {names.slice(0, SHOWN_MAX).map((name) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
        {more > 0 && <li>{ui.t("connection_tests.more", { count: more })}</li>}
      </ul>
    </details>
  );
}
