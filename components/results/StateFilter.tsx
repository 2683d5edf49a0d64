import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { Button, ButtonLink } from "@/components/ui/Button.tsx";
import { SearchField } from "@/components/ui/lists/SearchField.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { HostResultView } from "@/lib/results/schema.ts";

interface StateFilterProps {
  ui: Ui;
  address: TaskAddress;
  /** The states that occur, with the number of items in each. */
  counts: (readonly [state: HostResultView["status"], count: number])[];
  chosen: readonly string[];
  /** Part of a name to search for; undefined if names cannot be searched. */
  name?: string;
  /** Further parameters in the tab's address. */
  also: Record<string, string | undefined>;
}

/** Filters by state on each change; without a script, by its button. */
export function StateFilter({ ui, address, counts, chosen, name, also }: StateFilterProps) {
  const { form } = address;
  const kept = Object.entries(also).flatMap(([name, value]) =>
    value === undefined ? [] : [[form.name(name), value]]
  );
  return (
    <form id="state-filter" method="get" action={form.action} class="state-filter" data-stay>
      {[...form.hidden, ...kept].map(([name, value], n) => (
        <input key={n} type="hidden" name={name} value={value} />
      ))}
      <fieldset class="state-choices">
        <legend class="sr-only">{ui.t("results.state")}</legend>
        {counts.filter(([state, count]) => count > 0 || chosen.includes(state))
          .map(([state, count], n) => (
            <label key={n} class="check">
              <input
                id={`state-${state}`}
                type="checkbox"
                name={form.name("state")}
                value={state}
                checked={chosen.includes(state)}
              />
              <span>{ui.t(`results.status.${state}`)} ({ui.number(count)})</span>
            </label>
          ))}
      </fieldset>
      {name !== undefined && (
        <SearchField
          id="host-name"
          name={form.name("name")}
          value={name}
          maxLength={200}
          label={ui.t("results.find_host")}
        />
      )}
      <div class="filter-buttons">
        {(chosen.length > 0 || name) && (
          <ButtonLink kind="quiet" icon="close" href={address.href("hosts", also)} stays>
            {ui.t("results.all")}
          </ButtonLink>
        )}
        <Button icon="filter" class="no-script">{ui.t("actions.filter")}</Button>
      </div>
    </form>
  );
}
