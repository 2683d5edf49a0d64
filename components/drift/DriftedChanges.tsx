import { Diff } from "@/components/results/Diff.tsx";
import { diffBeginning, diffFiles } from "@/components/results/diff_parts.ts";
import { taskName } from "@/components/results/task_name.ts";
import { paths } from "@/lib/base/paths.ts";
import type { HostChanges } from "@/lib/drift/host_changes.ts";
import type { DriftedChange } from "@/lib/drift/drifted_changes.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";

interface DriftedChangesProps {
  ui: Ui;
  projectId: number;
  /** The check. */
  taskId: number | null;
  changes: DriftedChange[];
  /** Address of further changes. */
  more?: string;
}

/** Changes that hosts need, each once. */
export function DriftedChanges({ ui, projectId, taskId, changes, more }: DriftedChangesProps) {
  if (changes.length === 0 || taskId === null) return null;
  return (
    <section id="drift-changes" aria-labelledby="drift-changes-title">
      <h2 id="drift-changes-title">{ui.t("drift.changes_title")}</h2>
      {changes.map(({ id, play_task: name, role, action, diff, hosts, count, more }) => (
        <DriftChange
          key={id}
          {...{ ui, id, diff }}
          title={taskName({ name, role, action })}
          whole={ui.href(`${paths.taskPage(projectId, taskId)}/changes?change=${id}`)}
          hosts={{ names: hosts.map(({ name }) => visible(name)), count, more }}
        />
      ))}
      {more && (
        <p>
          <a href={more} data-stay>{ui.t("lists.next")}</a>
        </p>
      )}
    </section>
  );
}

/** Changes that a host needs for a template. */
export function ChangesOfHost(
  { ui, projectId, changes }: { ui: Ui; projectId: number; changes: HostChanges },
) {
  const { template_id, template_name, task_id, host_id, results, total } = changes;
  const all = ui.href(`${paths.taskPage(projectId, task_id)}/changes?by=host&host=${host_id}`);
  return (
    <>
      <h3>
        <a href={ui.href(paths.templateDrift(projectId, template_id))}>{template_name}</a>
      </h3>
      {results.map(({ id, play_task, diff }) => (
        <DriftChange
          key={id}
          ui={ui}
          id={`${task_id}-${id}`}
          title={visible(play_task)}
          diff={diff ?? ""}
          whole={`${all}&change=${id}`}
        />
      ))}
      {total > results.length && (
        <p>
          <a href={all}>{ui.t("lists.next")}</a>
        </p>
      )}
    </>
  );
}

interface DriftChangeProps {
  ui: Ui;
  /** Unique within the page. */
  id: string;
  /** Name of the Ansible task. */
  title: string;
  diff: string;
  /** Address of the whole change. */
  whole: string;
  /** The hosts that need it; missing on the page of a host. */
  hosts?: { names: string[]; count: number; more: number };
}

function DriftChange({ ui, id, title, diff, whole, hosts }: DriftChangeProps) {
  const name = diffFiles(diff).map(visible).join(", ") || title;
  const shown = diffBeginning(diff);
  const Heading = hosts ? "h3" : "h4";
  return (
    <article class="card change" aria-labelledby={`drift-${id}`}>
      <div class="change-title">
        <Heading id={`drift-${id}`}>{name}</Heading>
        {hosts && <strong>{ui.t("start_task.hosts", { count: hosts.count })}</strong>}
      </div>
      <div class="change-head">
        <a href={whole}>{title}</a>
        {hosts && (
          <span>
            {hosts.names.join(", ")}
            {hosts.more > 0 && ` +${ui.number(hosts.more)}`}
          </span>
        )}
      </div>
      {diff !== "" && (
        <Diff id={`drift-${id}-diff`} diff={shown} label={ui.t("changes.diff_of", { name })} />
      )}
      {shown.length < diff.length && (
        <p class="change-whole">
          <a href={whole}>{ui.t("changes.whole", { name })}</a>
        </p>
      )}
    </article>
  );
}
