import type { Ui } from "@/lib/i18n/ui.ts";
import { RUN_STATUSES } from "@/lib/workflows/step_state.ts";
import type { RunsQuery } from "@/routes/(_pages)/workflows/runs.ts";
import { FilterBar } from "../ui/lists/FilterBar.tsx";
import { FilterChoice, FilterDays, FilterOptions } from "../ui/lists/FilterFields.tsx";

interface RunsFilterProps {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  query: RunsQuery;
  workflows: ReadonlyMap<number, string>;
  people: ReadonlyMap<number, string>;
}

/** Filters runs on each change; without a script, by its button. */
export function RunsFilter({ ui, action, query, workflows, people }: RunsFilterProps) {
  const setFields = Object.values(query).filter((value) => value !== undefined).length;
  const states = RUN_STATUSES.map((one) => [one, ui.t(`workflows.state.${one}`)] as const);
  const { workflow, by, status } = query;
  return (
    <FilterBar
      ui={ui}
      id="runs"
      action={action}
      isFiltered={setFields > 0}
      setFieldCount={setFields}
    >
      <FilterChoice ui={ui} name="workflow" chosen={workflow} all="history.any_workflow">
        <FilterOptions of={workflows} chosen={workflow} />
      </FilterChoice>
      <FilterChoice ui={ui} name="by" chosen={by} all="history.anybody">
        <FilterOptions of={people} chosen={by} />
      </FilterChoice>
      <FilterChoice ui={ui} name="status" chosen={status} all="history.any_status">
        <FilterOptions of={states} chosen={status?.[0]} />
      </FilterChoice>
      <FilterDays ui={ui} query={query} />
    </FilterBar>
  );
}
