import type { Ui } from "@/lib/i18n/ui.ts";
import { RUN_STATUSES } from "@/lib/workflows/step_state.ts";
import type { RunsQuery } from "@/routes/(_pages)/workflows/runs.ts";
import { FilterBar } from "../ui/lists/FilterBar.tsx";
import {
  filterChips,
  FilterChoice,
  FilterDays,
  FilterOptions,
  FilterStatuses,
} from "../ui/lists/FilterFields.tsx";

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
  const { workflow, by, status, from, to } = query;
  return (
    <FilterBar
      ui={ui}
      id="runs"
      action={action}
      isFiltered={Object.values(query).some((value) => value !== undefined)}
      chips={filterChips(ui, action, query, {
        by: by && (people.get(by) ?? `#${by}`),
        status: status?.map((one) => ui.t(`workflows.state.${one}`)).join(" / "),
        from: from && ui.day(from),
        to: to && ui.day(to),
      })}
      folded={
        <>
          <FilterChoice ui={ui} name="by" chosen={by} all="history.anybody">
            <FilterOptions of={people} chosen={by} />
          </FilterChoice>
          <FilterDays ui={ui} query={query} />
          <FilterStatuses ui={ui} of={RUN_STATUSES} names="workflows.state" chosen={status} />
        </>
      }
    >
      <FilterChoice ui={ui} name="workflow" isPlain chosen={workflow} all="history.any_workflow">
        <FilterOptions of={workflows} chosen={workflow} />
      </FilterChoice>
    </FilterBar>
  );
}
