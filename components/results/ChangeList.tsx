import type { ComponentChildren } from "preact";
import { CopyDiff } from "./CopyDiff.tsx";
import { Diff } from "./Diff.tsx";
import { diffBeginning, diffCounts, diffFiles } from "./diff_parts.ts";
import { LineLink } from "./LineLink.tsx";
import { taskName } from "./task_name.ts";
import type { TaskPlace } from "@/components/tasks/task_place.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { PlayTask } from "@/lib/results/schema.ts";

/** The same change on one host or more. */
export interface ShownChange {
  /** Within the page. */
  id: string;
  task: PlayTask;
  /** Empty where nobody knows what has changed. */
  diff: string;
  hosts: { id: number; name: string }[];
  /** How many hosts there are besides. */
  more: number;
  line: number | null;
}

interface ChangeListProps {
  ui: Ui;
  place: TaskPlace;
  /** Those whose differences are known first. */
  changes: ShownChange[];
  /** Whose hosts are known without being named. */
  ofOneHost?: boolean;
  /** The tabs beside it are of another run: nothing leads there. */
  isApart?: boolean;
  /** Where one of them is shown whole; without it each is. */
  wholeOf?(change: ShownChange): string;
}

/** What has changed: differences first, and below them what changed without one. */
export function ChangeList({ changes, ...props }: ChangeListProps) {
  const known = changes.filter(({ diff }) => diff !== "");
  const others = changes.filter(({ diff }) => diff === "");
  const Heading = props.place.isOver ? "h3" : "h2";
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

type ChangeProps = Omit<ChangeListProps, "changes"> & { change: ShownChange };

function Change(props: ChangeProps) {
  const { ui, place, change, wholeOf } = props;
  const { id, diff } = change;
  const shown = wholeOf ? diffBeginning(diff) : diff;
  const isCut = shown.length < diff.length;
  const { added, removed } = diffCounts(diff);
  const files = diffFiles(diff).map(visible).join(", ");
  const name = files || taskName(change.task);
  const Heading = place.isOver ? "h3" : "h2";
  return (
    <section id={`change-${id}`} class="card change" aria-labelledby={`change-${id}-title`}>
      <div class="change-title">
        <Heading id={`change-${id}-title`}>{name}</Heading>
        <span class="whitespace-nowrap">
          <span class="change-added" title={ui.t("changes.added")}>+{ui.number(added)}</span>{" "}
          <span class="change-removed" title={ui.t("changes.removed")}>−{ui.number(removed)}</span>
        </span>
        {!isCut && <CopyDiff ui={ui} id={`change-${id}`} name={name} />}
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
    </section>
  );
}

/** Which task changed it, where, and on which hosts. */
const ChangeHead = (props: ChangeProps) => {
  const { ui, place, change, ofOneHost, isApart } = props;
  const name = taskName(change.task);
  const href = place.href("timeline", { task: change.task.id });
  return (
    <div class="change-head">
      {isApart ? <span>{name}</span> : <TabLink place={place} href={href}>{name}</TabLink>}
      <LineLink ui={ui} place={place} line={change.line} />
      {!ofOneHost && <ChangeHosts {...props} />}
    </div>
  );
};

/** To another tab of the run. */
const TabLink = (
  { place, href, children }: { place: TaskPlace; href: string; children: ComponentChildren },
) => (
  <a href={href} aria-current="false" data-stay={place.isOver ? true : "push"}>
    {children}
  </a>
);

/** Hosts that are named at once, and all that are named. */
const NAMED = 3;
const NAMED_MAX = 200;

function ChangeHosts({ ui, place, isApart, change: { hosts, more } }: ChangeProps) {
  const total = hosts.length + more;
  const links = hosts.slice(0, NAMED_MAX).map(({ id, name }) =>
    isApart
      ? <span key={id}>{visible(name)}</span>
      : (
        <TabLink key={id} place={place} href={place.href("changes", { by: "host", host: id })}>
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
