import type { Ui } from "../../lib/i18n/ui.ts";
import { paths } from "../../lib/base/paths.ts";
import type { IntegrationSwitch, IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import { Icon } from "../ui/Icon.tsx";

interface SwitchProps {
  ui: Ui;
  integration: IntegrationView;
  name: IntegrationSwitch;
  label: string;
  hint: string;
}

/** A checkbox that saves immediately. It is a button that sends a form, so it needs no script. */
export function Switch({ ui, integration, name, label, hint }: SwitchProps) {
  const { project_id, id } = integration;
  const isOn = integration[name];
  return (
    <form
      id={name}
      method="post"
      action={`${ui.href(paths.integration(project_id, id))}/switches`}
      class="field"
      data-stay
    >
      <button
        type="submit"
        role="checkbox"
        aria-checked={isOn ? "true" : "false"}
        aria-describedby={`${name}-hint`}
        name={name}
        value={String(!isOn)}
        class="switch"
      >
        <span class="switch-box">{isOn && <Icon name="check" />}</span>
        {/* For browsers that draw neither boxes nor icons. */}
        <span class="sr-only" aria-hidden="true">{isOn ? "[x] " : "[ ] "}</span>
        <span>{label}</span>
      </button>
      <p id={`${name}-hint`} class="field-hint pl-7">{hint}</p>
    </form>
  );
}
