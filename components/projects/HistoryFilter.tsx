import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import { STATUSES } from "../../lib/tasks/status.ts";
import { AUTOMATIC, TRIGGERS } from "../../lib/tasks/trigger.ts";
import type { HistoryQuery } from "@/routes/(_pages)/history.ts";
import { Icon } from "../ui/Icon.tsx";
import { FilterBar, FilterField } from "../ui/FilterBar.tsx";

/** Filter options of a history that depend on the project. */
export interface FilterChoices {
  templates: { id: number; name: string }[];
  people: ReadonlyMap<number, string>;
  /** Names of the runners that the project can use. */
  runners: ReadonlyMap<number, string>;
}

interface HistoryFilterProps extends FilterChoices {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  query: HistoryQuery;
}

/** Filters tasks on each change; without a script, by its button. */
export function HistoryFilter(
  { ui, action, query, templates, people, runners }: HistoryFilterProps,
) {
  const { template, by, trigger, runner } = query;
  const automatic = AUTOMATIC.map((kind) => [kind, ui.t(`history.by.${kind}`)] as const);
  const choice = (name: string, chosen: unknown, all: string, options: ComponentChildren) => (
    <Labelled ui={ui} name={name}>
      <select id={`filter-${name}`} name={name}>
        <option value="" selected={chosen === undefined}>{ui.t(all)}</option>
        {options}
      </select>
    </Labelled>
  );
  const option = ([value, label]: readonly [string | number, string], chosen: unknown) => (
    <option value={value} selected={value === chosen}>{label}</option>
  );
  const day = (name: "from" | "to") => (
    <Labelled ui={ui} name={name}>
      <input id={`filter-${name}`} type="date" name={name} value={query[name] ?? ""} />
    </Labelled>
  );
  return (
    <FilterBar
      ui={ui}
      id="history"
      action={action}
      isFiltered={isFiltered(query)}
      setFieldCount={countSetFields(query)}
    >
      {choice(
        "template",
        template,
        "history.any_template",
        templates.map(({ id, name }) => option([id, name], template)),
      )}
      {choice(
        "by",
        by,
        "history.anybody",
        <>
          {people.size > 0 && (
            <optgroup label={ui.t("history.people")}>
              {[...people].map((person) => option(person, by))}
            </optgroup>
          )}
          <optgroup label={ui.t("history.automatic")}>
            {automatic.map((kind) => option(kind, by))}
          </optgroup>
        </>,
      )}
      {choice(
        "trigger",
        trigger,
        "history.any_trigger",
        TRIGGERS.map((one) => option([one, ui.t(`tasks.trigger.${one}`)], trigger)),
      )}
      {(runners.size > 0 || runner !== undefined) && choice(
        "runner",
        runner,
        "history.any_runner",
        [...runnerOptions(runners, runner)].map((one) => option(one, runner)),
      )}
      <Statuses ui={ui} chosen={query.status ?? []} />
      {day("from")}
      {day("to")}
    </FilterBar>
  );
}

/** Returns the runners by their ids, also the chosen one if it was deleted. */
const runnerOptions = (runners: ReadonlyMap<number, string>, chosen: number | undefined) =>
  chosen === undefined || runners.has(chosen)
    ? runners
    : new Map([...runners, [chosen, `#${chosen}`]]);

const Labelled = (
  { ui, name, children }: { ui: Ui; name: string; children: ComponentChildren },
) => (
  <FilterField id={`filter-${name}`} label={ui.t(`history.filter.${name}`)}>{children}</FilterField>
);

/** Selects any number of statuses. The button that opens the list shows the selected ones. */
function Statuses({ ui, chosen }: { ui: Ui; chosen: string[] }) {
  const names = ui.list(chosen.map((status) => ui.t(`tasks.status.${status}`)));
  return (
    <div class="filter">
      <span id="filter-status-label" class="filter-label">{ui.t("history.filter.status")}</span>
      <details id="filter-status" class="filter-list">
        <summary aria-labelledby="filter-status-label filter-status-chosen">
          <span id="filter-status-chosen" class="clamp">
            {names || ui.t("history.any_status")}
          </span>
          <Icon name="chevron_down" />
        </summary>
        <fieldset>
          <legend class="sr-only">{ui.t("history.filter.status")}</legend>
          {STATUSES.map((status) => (
            <label class="check">
              <input
                id={`filter-status-${status}`}
                type="checkbox"
                name="status"
                value={status}
                checked={chosen.includes(status)}
              />
              <span>{ui.t(`tasks.status.${status}`)}</span>
            </label>
          ))}
        </fieldset>
      </details>
    </div>
  );
}

const countSetFields = (query: HistoryQuery): number =>
  Object.values(query).filter((value) => value !== undefined).length;

export const isFiltered = (query: HistoryQuery): boolean => countSetFields(query) > 0;
