import type { ComponentChildren } from "preact";
import type { RecordedPerson } from "../../lib/base/person.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { STATUSES } from "../../lib/model/status.ts";
import { AUTOMATIC, TRIGGERS } from "../../lib/tasks/trigger.ts";
import type { HistoryQuery } from "@/routes/(_pages)/history.ts";
import { Icon } from "../ui/Icon.tsx";
import { FilterBar } from "../ui/lists/FilterBar.tsx";
import {
  FilterChoice,
  FilterDays,
  FilterOptions,
  FilterSelect,
} from "../ui/lists/FilterFields.tsx";

/** Filter options of a history that depend on the project. */
export interface FilterChoices {
  templates: readonly { id: number; name: string }[];
  /** The people who have started tasks, by id. */
  people: ReadonlyMap<number, RecordedPerson>;
  /** Names of the runners that the project can use. */
  runners: ReadonlyMap<number, string>;
  workflows: ReadonlyMap<number, string>;
}

interface HistoryFilterProps extends FilterChoices {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  query: HistoryQuery;
  /** Words that the templates are searched for. */
  words: string;
}

/** Filters tasks on each change; without a script, by its button. */
export function HistoryFilter(
  { ui, action, query, words, templates, people, runners, workflows }: HistoryFilterProps,
) {
  const { template, by, trigger, runner, workflow } = query;
  const named = [...people].map(([id, person]) => [id, ui.person(person)] as const);
  const automatic = AUTOMATIC.map((kind) => [kind, ui.t(`history.by.${kind}`)] as const);
  const choice = (name: keyof HistoryQuery, all: string, children: ComponentChildren) => (
    <FilterChoice ui={ui} name={name} chosen={query[name]} all={all}>{children}</FilterChoice>
  );
  return (
    <FilterBar
      ui={ui}
      id="history"
      action={action}
      isFiltered={isFiltered(query)}
      setFieldCount={countSetFields(query)}
    >
      <FilterSelect
        ui={ui}
        name="template"
        all="history.any_template"
        options={templates.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={template}
        words={words}
      />
      {choice(
        "by",
        "history.anybody",
        <>
          {people.size > 0 && (
            <optgroup label={ui.t("history.people")}>
              <FilterOptions of={named} chosen={by} />
            </optgroup>
          )}
          <optgroup label={ui.t("history.automatic")}>
            <FilterOptions of={automatic} chosen={by} />
          </optgroup>
        </>,
      )}
      {choice(
        "trigger",
        "history.any_trigger",
        <FilterOptions
          of={TRIGGERS.map((one) => [one, ui.t(`tasks.trigger.${one}`)])}
          chosen={trigger}
        />,
      )}
      {(workflows.size > 0 || workflow !== undefined) && choice(
        "workflow",
        "history.any_workflow",
        <FilterOptions of={withChosen(workflows, workflow)} chosen={workflow} />,
      )}
      {(runners.size > 0 || runner !== undefined) && choice(
        "runner",
        "history.any_runner",
        <FilterOptions of={withChosen(runners, runner)} chosen={runner} />,
      )}
      <Statuses ui={ui} chosen={query.status ?? []} />
      <FilterDays ui={ui} query={query} />
    </FilterBar>
  );
}

/** Returns names by their ids, also that of the chosen object if it was deleted. */
const withChosen = (names: ReadonlyMap<number, string>, chosen: number | undefined) =>
  chosen === undefined || names.has(chosen) ? names : new Map([...names, [chosen, `#${chosen}`]]);

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
