import { RunHeading } from "./Facts.tsx";
import type { TaskAddresses } from "./addresses.ts";
import { Sentence } from "../ui/Sentence.tsx";
import type {
  ComparedEnd,
  HostGroup,
  OutcomeDifference,
  Pair,
  ResultDifferences,
} from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { type ComponentChildren, Fragment } from "preact";
import { ResultChip } from "../results/ResultChip.tsx";
import { taskName } from "../results/task_name.ts";
import type { TaskAddress } from "../tasks/task_address.ts";
import { visible } from "../../lib/i18n/visible.ts";

interface HostDifferencesProps extends Pair {
  ui: Ui;
  addresses: TaskAddresses;
  differences: ResultDifferences;
}

/**
 * Ansible tasks with different results, worst first, and hosts that only one of the two tasks
 * reached.
 */
export function HostDifferences({ ui, addresses, run, base, differences }: HostDifferencesProps) {
  const { hosts, different, notCompared, groups, moreHosts, onlyRun, onlyBase } = differences;
  const more = [["more_hosts", moreHosts], ["not_compared", notCompared]] as const;
  const only = [[run.id, addresses.run, onlyRun], [base.id, addresses.base, onlyBase]] as const;
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
              <DifferentHosts key={n} {...{ ui, addresses, run, base, group }} />
            ))}
          </table>
        </div>
      )}
      {more.map(([key, count], n) =>
        count > 0 && <p key={n}>{ui.t(`compare.${key}`, { count })}</p>
      )}
      {only.map(([id, address, some]) =>
        some.hosts.length > 0 && (
          <div key={id} class="compare-only">
            <Sentence
              ui={ui}
              of="compare.only_in"
              params={{ id }}
              parts={{ hosts: <HostLinks ui={ui} address={address} {...some} /> }}
            />
          </div>
        )
      )}
    </>
  );
}

interface DifferentHostsProps extends Pair {
  ui: Ui;
  addresses: TaskAddresses;
  group: HostGroup;
}

/**
 * Hosts with the same differences, and below them a row for each Ansible task with another result.
 */
function DifferentHosts({ ui, addresses, run, base, group }: DifferentHostsProps) {
  const { hosts: [first], differences, moreDifferences, onlyRun, onlyBase } = group;
  const hosts = group.hosts.map(({ name, run }) => ({ name, id: run }));
  const cell = (side: "run" | "base", { [side]: end }: OutcomeDifference) => (
    <EndLink {...{ ui, end }} address={addresses[side]} name={first.name} host={first[side]} />
  );
  const only = [[run.id, onlyRun], [base.id, onlyBase]] as const;
  return (
    <tbody>
      <tr class="compare-group">
        <th scope="rowgroup" colSpan={3}>
          <HostLinks ui={ui} address={addresses.run} hosts={hosts} more={group.more} />
        </th>
      </tr>
      {differences.map((difference, n) => (
        <Fragment key={n}>
          <tr>
            <th scope="row">{taskName(difference)}</th>
            <td>{cell("run", difference)}</td>
            <td>{cell("base", difference)}</td>
          </tr>
          <Why text={difference.run?.message || difference.base?.message} />
        </Fragment>
      ))}
      {moreDifferences > 0 && <Note>{ui.t("preview.and_more", { count: moreDifferences })}</Note>}
      {only.map(([id, { count, first }]) =>
        first && (
          <Note key={id}>{ui.t("compare.only_tasks", { count, id, name: taskName(first) })}</Note>
        )
      )}
    </tbody>
  );
}

const Note = ({ children }: { children: ComponentChildren }) => (
  <tr>
    <td colSpan={3} class="text-muted">{children}</td>
  </tr>
);

/** Reason for a failure in one of the two tasks. */
const Why = ({ text }: { text: string | undefined }) =>
  text
    ? (
      <tr class="compare-why">
        <td colSpan={3}>{visible(text)}</td>
      </tr>
    )
    : null;

interface EndLinkProps {
  ui: Ui;
  address: TaskAddress;
  end: ComparedEnd | null;
  name: string;
  /** The host's id in that task. */
  host: number;
}

/** Result of an Ansible task in one of the two tasks, with a link to its details. */
const EndLink = ({ ui, address, end, name, host }: EndLinkProps) =>
  end
    ? (
      <a
        href={`${address.href("hosts", { host, result: end.result })}#result`}
        title={visible(name)}
        aria-current="false"
        data-over
      >
        <ResultChip ui={ui} status={end.status} />
      </a>
    )
    : <span class="text-muted">{ui.t("results.status.none")}</span>;

interface HostLinksProps {
  ui: Ui;
  address: TaskAddress;
  hosts: { id: number; name: string }[];
  more: number;
}

/** Hosts of a task, each with a link to its results. */
const HostLinks = ({ ui, address, hosts, more }: HostLinksProps) => (
  <ul class="compare-hosts">
    {hosts.map(({ id, name }) => (
      <li key={id}>
        <a href={address.href("hosts", { host: id })} aria-current="false" data-over>
          {visible(name)}
        </a>
      </li>
    ))}
    {more > 0 && <li>{ui.t("preview.and_more", { count: more })}</li>}
  </ul>
);
