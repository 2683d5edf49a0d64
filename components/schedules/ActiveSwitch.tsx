import { Icon } from "@/components/ui/Icon.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

interface ActiveSwitchProps {
  ui: Ui;
  /** Name of the schedule. */
  name: string;
  isOn: boolean;
  /** Address that the switch is sent to. */
  action: string;
}

/** Whether a schedule is active. A button that saves immediately and needs no script. */
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
