import type { ComponentChildren } from "preact";
import type { RecordedPerson } from "../../lib/base/person.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { STATUSES } from "../../lib/model/status.ts";
import { AUTOMATIC, TRIGGERS } from "../../lib/tasks/trigger.ts";
import type { HistoryQuery } from "@/routes/(_pages)/history.ts";
import { FilterBar } from "../ui/lists/FilterBar.tsx";
import {
  filterChips,
  FilterChoice,
  FilterDays,
  FilterOptions,
  FilterSelect,
  FilterStatuses,
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
  { ui, action, query, words, ...choices }: HistoryFilterProps,
) {
  const { template, by, trigger, runner, workflow, status } = query;
  const { templates, people, runners, workflows } = choices;
  const named = [...people].map(([id, person]) => [id, ui.person(person)] as const);
  const automatic = AUTOMATIC.map((kind) => [kind, ui.t(`history.by.${kind}`)] as const);
  const choice = (name: keyof HistoryQuery, all: string, children: ComponentChildren) => (
    <FilterChoice ui={ui} name={name} chosen={query[name]} all={all}>{children}</FilterChoice>
  );
  const { template: _, ...folded } = filterTexts(ui, query, choices);
  return (
    <FilterBar
      ui={ui}
      id="history"
      action={action}
      isFiltered={isFiltered(query)}
      chips={filterChips(ui, action, query, folded)}
      folded={
        <>
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
          <FilterDays ui={ui} query={query} />
          <FilterStatuses ui={ui} of={STATUSES} names="tasks.status" chosen={status} />
        </>
      }
    >
      <FilterSelect
        ui={ui}
        name="template"
        isPlain
        all="history.any_template"
        options={templates.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={template}
        words={words}
      />
    </FilterBar>
  );
}

/** Returns names by their ids, also that of the chosen object if it was deleted. */
const withChosen = (names: ReadonlyMap<number, string>, chosen: number | undefined) =>
  chosen === undefined || names.has(chosen) ? names : new Map([...names, [chosen, `#${chosen}`]]);

/** Returns the values of a query in words, by the names of their parameters. */
export function filterTexts(
  ui: Ui,
  { template, by, trigger, runner, workflow, status, from, to }: HistoryQuery,
  { templates, people, runners, workflows }: FilterChoices,
) {
  const personText = (id: number) => {
    const person = people.get(id);
    return person ? ui.person(person) : `#${id}`;
  };
  return {
    template: templates.find(({ id }) => id === template)?.name,
    by: typeof by === "number" ? personText(by) : by && ui.t(`history.by.${by}`),
    trigger: trigger && ui.t(`tasks.trigger.${trigger}`),
    runner: runner && (runners.get(runner) ?? `#${runner}`),
    workflow: workflow && (workflows.get(workflow) ?? `#${workflow}`),
    status: status?.map((one) => ui.t(`tasks.status.${one}`)).join(" / "),
    from: from && ui.day(from),
    to: to && ui.day(to),
  };
}

export const isFiltered = (query: HistoryQuery): boolean =>
  Object.values(query).some((value) => value !== undefined);
