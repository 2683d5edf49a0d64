import type { ComponentChildren } from "preact";
import { Diff } from "./Diff.tsx";
import { diffBeginning, diffCounts, diffFiles } from "./diff_parts.ts";
import { LineLink } from "./LineLink.tsx";
import { taskName } from "./task_name.ts";
import { CopyButton } from "@/components/ui/CopyButton.tsx";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { PlayTask } from "@/lib/results/schema.ts";

/** The same change on one or more hosts. */
export interface ShownChange {
  /** Unique within the page. */
  id: string;
  task: PlayTask;
  /** Empty if the change is unknown. */
  diff: string;
  hosts: { id: number; name: string }[];
  /** The hosts where a task in check mode really made the change. */
  done: { id: number; name: string }[];
  /** Number of further hosts. */
  more: number;
  line: number | null;
}

interface ChangeProps {
  ui: Ui;
  address: TaskAddress;
  change: ShownChange;
  /** The host is known from the context, so it is not named. */
  ofOneHost?: boolean;
  /** The tabs beside it belong to another task, so nothing links to them. */
  isApart?: boolean;
  /** Address of the full change. If missing, the change is shown in full. */
  wholeOf?(change: ShownChange): string;
}

/** A change with its diff. */
function Change(props: ChangeProps) {
  const { ui, address, change, wholeOf } = props;
  const { id, diff } = change;
  const shown = wholeOf ? diffBeginning(diff) : diff;
  const isCut = shown.length < diff.length;
  const { added, removed } = diffCounts(diff);
  const files = diffFiles(diff).map(visible).join(", ");
  const name = files || taskName(change.task);
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <article id={`change-${id}`} class="card change" aria-labelledby={`change-${id}-title`}>
      <div class="change-title">
        <Heading id={`change-${id}-title`}>{name}</Heading>
        <span class="whitespace-nowrap">
          <span class="change-added" title={ui.t("changes.added")}>+{ui.number(added)}</span>{" "}
          <span class="change-removed" title={ui.t("changes.removed")}>−{ui.number(removed)}</span>
        </span>
        {!isCut && (
          <CopyButton
            what={{ of: `change-${id}-diff` }}
            label={ui.t("changes.copy", { name })}
            copied={ui.t("changes.copied")}
          />
        )}
      </div>
      <ChangeHead {...props} />
      <Diff
        id={`change-${id}-diff`}
        diff={shown}
        label={ui.t("changes.diff_of", { name })}
      />
      {isCut && (
        <p class="change-whole">
          <a href={wholeOf!(change)} aria-current="false" data-stay="push">
            {ui.t("changes.whole", { name })}
          </a>
        </p>
      )}
    </article>
  );
}

/** The Ansible task that made the change, the log line, and the hosts. */
const ChangeHead = (props: ChangeProps) => {
  const { ui, address, change, ofOneHost, isApart } = props;
  const name = taskName(change.task);
  const href = address.href("timeline", { task: change.task.id });
  return (
    <div class="change-head">
      {isApart ? <span>{name}</span> : <TabLink address={address} href={href}>{name}</TabLink>}
      {change.line !== null && <LineLink ui={ui} address={address} line={change.line} />}
      {!ofOneHost && <ChangeHosts {...props} />}
      <Done ui={ui} change={change} />
    </div>
  );
};

/** Warns that a task in check mode has made the change, and names the hosts if it was not all. */
function Done({ ui, change: { hosts, done } }: Pick<ChangeProps, "ui" | "change">) {
  if (done.length === 0) return null;
  const names = ui.list(done.slice(0, NAMED_MAX).map(({ name }) => visible(name)));
  const isAll = done.length === hosts.length;
  return (
    <strong class="change-done">
      {isAll ? ui.t("changes.done") : ui.t("changes.done_on", { names })}
    </strong>
  );
}

/** Link to another tab of the task. */
const TabLink = (
  { address, href, children }: { address: TaskAddress; href: string; children: ComponentChildren },
) => (
  <a href={href} aria-current="false" data-stay={address.isInOverlay ? true : "push"}>
    {children}
  </a>
);

/** Hosts that are listed without a disclosure, and the maximum that is listed. */
const NAMED = 3;
const NAMED_MAX = 200;

function ChangeHosts({ ui, address, isApart, change: { hosts, more } }: ChangeProps) {
  const total = hosts.length + more;
  const links = hosts.slice(0, NAMED_MAX).map(({ id, name }) =>
    isApart ? <span key={id}>{visible(name)}</span> : (
      <TabLink
        key={id}
        address={address}
        href={address.href("changes", { by: "host", host: id })}
      >
        {visible(name)}
      </TabLink>
    )
  );
  if (total <= NAMED) return <span class="change-hosts">{links}</span>;
  return (
    <details class="reveal">
      <summary>{ui.t("changes.same", { count: total })}</summary>
      <span class="change-hosts">{links}</span>
      {total > NAMED_MAX && <p>{ui.t("changes.more_hosts", { count: total - NAMED_MAX })}</p>}
    </details>
  );
}

export interface ChangeListProps extends Omit<ChangeProps, "change"> {
  /** Changes with a known diff come first. */
  changes: ShownChange[];
}

/** Changes with a diff first, and below them those without one. */
export function ChangeList({ changes, ...props }: ChangeListProps) {
  const known = changes.filter(({ diff }) => diff !== "");
  const others = changes.filter(({ diff }) => diff === "");
  const Heading = props.address.isInOverlay ? "h3" : "h2";
  return (
    <>
      {known.map((change) => <Change key={change.id} {...props} change={change} />)}
      {others.length > 0 && (
        <section class="changes-unknown" aria-labelledby="changes-unknown">
          <Heading id="changes-unknown">{props.ui.t("changes.unknown")}</Heading>
          <ul>
            {others.map((change) => (
              <li key={change.id}>
                <ChangeHead {...props} change={change} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
