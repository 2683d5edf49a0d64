import type { ComponentChildren } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Status } from "../../lib/tasks/status.ts";

/** Data for each section of the overview. */
export interface PartProps {
  ui: Ui;
  projectId: number;
  now: Date;
  /** The page's query without its `t`, because a task's log opens over the same page. */
  query: URLSearchParams;
  mayRun: boolean;
}

interface OverviewPartProps extends Pick<PartProps, "ui" | "projectId"> {
  name: "confirming" | "running" | "waiting" | "failed" | "coming";
  /** Total number of items, if not all are shown. */
  count?: number;
  shown?: number;
  /** Statuses with which the history lists all of them. */
  statuses?: Status[];
  /** A button beside the heading. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of the overview: its heading, the first lines, and a link to the others. */
export function OverviewPart(
  { ui, projectId, name, count = 0, shown = 0, statuses = [], action, children }: OverviewPartProps,
) {
  const all = new URLSearchParams(statuses.map((status) => ["status", status]));
  return (
    <section
      id={`overview-${name}`}
      class="overview-part"
      aria-labelledby={`overview-${name}-title`}
    >
      <div class="overview-head">
        <h2 id={`overview-${name}-title`}>
          {ui.t(`overview.${name}`)}
          {count > 0 && <span class="overview-count">{ui.number(count)}</span>}
        </h2>
        {action}
      </div>
      <ul>{children}</ul>
      {count > shown && (
        <p class="m-0">
          <a href={`${ui.href(paths.section(projectId, "history"))}?${all}`}>
            {ui.t("overview.more", { count: count - shown })}
          </a>
        </p>
      )}
    </section>
  );
}
