import { Button } from "../ui/Button.tsx";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TaskRow } from "../../lib/tasks/schema.ts";

interface RunPickerProps {
  ui: Ui;
  /** Complete path of the page. */
  page: string;
  /** Latest first. */
  choices: TaskRow[];
  run: TaskRow;
  base: TaskRow | null;
}

/** Selects any two tasks. With a script, each change applies immediately. */
export function RunPicker({ ui, page, choices, run, base }: RunPickerProps) {
  const picker = (name: "a" | "b", label: string, chosen: TaskRow | null) => {
    // The chosen task may be older than those that are offered.
    const isKnown = chosen === null || choices.some(({ id }) => id === chosen.id);
    return (
      <label>
        <span>{label}</span>
        <select id={`compare-${name}`} name={name}>
          {chosen === null && <option value="" selected>{ui.t("compare.none")}</option>}
          {(isKnown ? choices : [...choices, chosen]).map(({ id, status, created }) => (
            <option value={id} selected={id === chosen?.id}>
              {ui.t("compare.choice", {
                id,
                status: ui.t(`tasks.status.${status}`),
                time: ui.dateTime(created),
              })}
            </option>
          ))}
        </select>
      </label>
    );
  };
  return (
    <form id="compare-runs" method="get" action={page} class="compare-runs" data-stay>
      {picker("a", ui.t("compare.run"), run)}
      {picker("b", ui.t("compare.base"), base)}
      <Button class="no-script">{ui.t("compare.show")}</Button>
    </form>
  );
}
