import type { TaskPlace } from "@/components/tasks/task_place.ts";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { HOST_STATUSES, type HostStatus } from "@/lib/results/statuses.ts";

/** Which hosts are looked at. */
export interface HostQuery {
  /** Those that are one of these; empty for all. */
  state: HostStatus[];
  /** A part of their name. */
  name: string;
}

interface HostFilterProps {
  ui: Ui;
  place: TaskPlace;
  query: HostQuery;
  /** How many hosts there are of each state. */
  counts: Partial<Record<HostStatus, number>>;
  /** What else stands in the address of the tab. */
  also: Record<string, string | undefined>;
}

/** Shows only some hosts, at once on each change; without a script by its button. */
export function HostFilter({ ui, place, query, counts, also }: HostFilterProps) {
  const { form } = place;
  const kept = Object.entries(also).flatMap(([name, value]) =>
    value === undefined ? [] : [[form.name(name), value]]
  );
  return (
    <form id="host-filter" method="get" action={form.action} class="filters" data-stay>
      {[...form.hidden, ...kept].map(([name, value], n) => (
        <input key={n} type="hidden" name={name} value={value} />
      ))}
      <fieldset class="host-states">
        <legend class="sr-only">{ui.t("results.state")}</legend>
        {HOST_STATUSES.filter((state) => counts[state] || query.state.includes(state))
          .map((state, n) => (
            <label key={n} class="check">
              <input
                id={`host-state-${state}`}
                type="checkbox"
                name={form.name("state")}
                value={state}
                checked={query.state.includes(state)}
              />
              <span>{ui.t(`results.status.${state}`)} ({ui.number(counts[state] ?? 0)})</span>
            </label>
          ))}
      </fieldset>
      <input
        id="host-name"
        type="search"
        name={form.name("name")}
        value={query.name}
        maxLength={200}
        aria-label={ui.t("results.find_host")}
        placeholder={ui.t("results.find_host")}
      />
      <div class="filter-buttons">
        {(query.state.length > 0 || query.name !== "") && (
          <ButtonLink kind="quiet" icon="close" href={place.href("hosts", also)} stays>
            {ui.t("results.all_hosts")}
          </ButtonLink>
        )}
        <Button icon="filter" class="no-script">{ui.t("actions.filter")}</Button>
      </div>
    </form>
  );
}
