import { Diff } from "@/components/results/Diff.tsx";
import { diffBeginning, diffFiles } from "@/components/results/diff_parts.ts";
import { taskName } from "@/components/results/task_name.ts";
import { paths } from "@/lib/base/paths.ts";
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
      {changes.map((change) => (
        <DriftChange key={change.id} {...{ ui, projectId, taskId, change }} />
      ))}
      {more && (
        <p>
          <a href={more} data-stay>{ui.t("lists.next")}</a>
        </p>
      )}
    </section>
  );
}

interface DriftChangeProps {
  ui: Ui;
  projectId: number;
  taskId: number;
  change: DriftedChange;
}

function DriftChange({ ui, projectId, taskId, change }: DriftChangeProps) {
  const { id, diff, hosts, count, more } = change;
  const title = taskName({ name: change.play_task, role: change.role, action: change.action });
  const name = diffFiles(diff).map(visible).join(", ") || title;
  const shown = diffBeginning(diff);
  const whole = ui.href(`${paths.taskPage(projectId, taskId)}/changes?change=${id}`);
  const names = hosts.map(({ name }) => visible(name));
  return (
    <article class="card change" aria-labelledby={`drift-${id}`}>
      <div class="change-title">
        <h3 id={`drift-${id}`}>{name}</h3>
        <strong>{ui.t("start_task.hosts", { count })}</strong>
      </div>
      <div class="change-head">
        <a href={whole}>{title}</a>
        <span>
          {names.join(", ")}
          {more > 0 && ` +${ui.number(more)}`}
        </span>
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
