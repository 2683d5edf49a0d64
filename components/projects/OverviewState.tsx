import type { ComponentChildren } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Status } from "../../lib/model/status.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";

/** Data for each state of the overview. */
export interface PartProps {
  ui: Ui;
  projectId: number;
  now: Date;
  /** The page's query without its `t`, because a task's log opens over the same page. */
  query: URLSearchParams;
  mayRun: boolean;
  mayApprove: boolean;
}

interface OverviewStateProps {
  name: "questions" | "runs" | "confirming" | "running" | "waiting" | "failed" | "coming" | "days";
  icon: IconName;
  tone?: "warning" | "danger";
  /** The state in a few words, such as "2 running". */
  label: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A state in the strip of the overview. It opens its list below the strip, without a script, and
 * closes the others, because the lists have no headings of their own.
 */
export function OverviewState({ name, children, ...head }: OverviewStateProps) {
  return (
    <details id={`overview-${name}`} name="overview" class="overview-state">
      <summary class="overview-head">
        <Head {...head} />
        <Icon name="chevron_down" class="overview-chevron" />
      </summary>
      <div class="overview-list">{children}</div>
    </details>
  );
}

interface DecisionStateProps extends OverviewStateProps {
  /** Whether it is the only decision that waits. */
  isOnly: boolean;
}

/** Decisions that wait. A single one is always shown; several open like the other lists. */
export function DecisionState({ isOnly, ...props }: DecisionStateProps) {
  if (!isOnly) return <OverviewState {...props} />;
  const { name, children, ...head } = props;
  return (
    <section
      id={`overview-${name}`}
      class="overview-state"
      aria-labelledby={`overview-${name}-title`}
    >
      <div class="overview-head">
        <Head {...head} id={`overview-${name}-title`} />
      </div>
      <div class="overview-list">{children}</div>
    </section>
  );
}

type HeadProps = Pick<OverviewStateProps, "icon" | "tone" | "label"> & { id?: string };

const Head = ({ icon, tone, label, id }: HeadProps) => (
  <>
    <Icon name={icon} class={tone ? `text-${tone}` : "text-muted"} />
    <h2 id={id}>{label}</h2>
  </>
);

interface MoreProps extends Pick<PartProps, "ui" | "projectId"> {
  /** Number of tasks that are not shown. */
  count: number;
  /** Statuses with which the history lists all of them. */
  statuses: Status[];
}

/** Link to the tasks that are not shown; nothing if there are none. */
export function MoreTasks({ ui, projectId, count, statuses }: MoreProps) {
  if (count <= 0) return null;
  const all = new URLSearchParams(statuses.map((status) => ["status", status]));
  return (
    <p class="m-0">
      <a href={`${ui.href(paths.section(projectId, "history"))}?${all}`}>
        {ui.t("overview.more", { count })}
      </a>
    </p>
  );
}
