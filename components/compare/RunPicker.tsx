import type { Ui } from "../../lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";

/** A task, or a run of a workflow. */
interface Choice {
  id: number;
  created: string;
}

interface RunPickerProps<One extends Choice> {
  ui: Ui;
  /** Complete path of the page. */
  page: string;
  /** Latest first. */
  choices: readonly One[];
  run: One;
  base: One | null;
  /** Label of the first select. */
  label: string;
  statusText(one: One): string;
}

/** Selects any two of them. With a script, each change applies immediately. */
export function RunPicker<One extends Choice>(
  { ui, page, choices, run, base, label, statusText }: RunPickerProps<One>,
) {
  const picker = (name: "a" | "b", label: string, chosen: One | null) => {
    // The chosen one may be older than those that are offered.
    const isKnown = chosen === null || choices.some(({ id }) => id === chosen.id);
    return (
      <label>
        <span>{label}</span>
        <select id={`compare-${name}`} name={name}>
          {chosen === null && <option value="" selected>{ui.t("compare.none")}</option>}
          {(isKnown ? choices : [...choices, chosen]).map((one) => (
            <option value={one.id} selected={one.id === chosen?.id}>
              {ui.t("compare.choice", {
                id: one.id,
                status: statusText(one),
                time: ui.dateTime(one.created),
              })}
            </option>
          ))}
        </select>
      </label>
    );
  };
  return (
    <form id="compare-runs" method="get" action={page} class="compare-runs" data-stay>
      {picker("a", label, run)}
      {picker("b", ui.t("compare.base"), base)}
      <Button class="no-script">{ui.t("compare.show")}</Button>
    </form>
  );
}
