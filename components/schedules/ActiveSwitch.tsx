import { Icon } from "@/components/ui/Icon.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

interface ActiveSwitchProps {
  ui: Ui;
  /** What is switched. */
  name: string;
  isOn: boolean;
  /** Where the switch is sent. */
  action: string;
}

/** Whether a schedule runs. A button that saves at once, and needs no script for it. */
export function ActiveSwitch({ ui, name, isOn, action }: ActiveSwitchProps) {
  const label = ui.t("schedules.active_named", { name });
  return (
    <form method="post" action={action} data-stay>
      <button
        type="submit"
        role="switch"
        aria-checked={isOn ? "true" : "false"}
        aria-label={label}
        title={label}
        name="active"
        value={String(!isOn)}
        class="toggle"
      >
        <span class="toggle-knob">{isOn && <Icon name="check" />}</span>
        {/* For browsers that draw no boxes. */}
        <span class="sr-only">{ui.t(isOn ? "schedules.on" : "schedules.off")}</span>
      </button>
    </form>
  );
}
