import { RunHeading } from "./Facts.tsx";
import { DifferentHosts, HostLinks } from "./DifferentHosts.tsx";
import type { Places } from "./places.ts";
import { Sentence } from "../ui/Sentence.tsx";
import type { Pair, ResultDifferences } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

interface HostDifferencesProps extends Pair {
  ui: Ui;
  places: Places;
  told: ResultDifferences;
}

/**
 * Ansible tasks with different results, worst first, and hosts that only one of the two tasks
 * reached.
 */
export function HostDifferences({ ui, places, run, base, told }: HostDifferencesProps) {
  const { hosts, different, notCompared, groups, moreHosts, onlyRun, onlyBase } = told;
  const more = [["more_hosts", moreHosts], ["not_compared", notCompared]] as const;
  const only = [[run.id, places.run, onlyRun], [base.id, places.base, onlyBase]] as const;
  return (
    <>
      <p>
        {different === 0
          ? ui.t("compare.hosts_same", { count: hosts })
          : ui.t("compare.hosts_differ", { count: different, hosts })}
      </p>
      {groups.length > 0 && (
        <div class="table-frame">
          <table class="compare-table compare-results compare-outcomes">
            <caption class="sr-only">{ui.t("compare.results")}</caption>
            <thead>
              <tr>
                <th scope="col">{ui.t("results.play_task")}</th>
                <RunHeading ui={ui} task={run} />
                <RunHeading ui={ui} task={base} />
              </tr>
            </thead>
            {groups.map((group, n) => (
              <DifferentHosts key={n} {...{ ui, places, run, base, group }} />
            ))}
          </table>
        </div>
      )}
      {more.map(([key, count], n) =>
        count > 0 && <p key={n}>{ui.t(`compare.${key}`, { count })}</p>
      )}
      {only.map(([id, place, some]) =>
        some.hosts.length > 0 && (
          <div key={id} class="compare-only">
            <Sentence
              ui={ui}
              of="compare.only_in"
              params={{ id }}
              parts={{ hosts: <HostLinks ui={ui} place={place} {...some} /> }}
            />
          </div>
        )
      )}
    </>
  );
}
