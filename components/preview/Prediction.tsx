import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { PredictedChange, TaskPreview } from "@/lib/previews/schema.ts";
import type { TaskRow } from "@/lib/tasks/schema.ts";
import { Diff } from "../results/Diff.tsx";
import { Alert } from "../ui/Alert.tsx";

interface PredictionProps {
  ui: Ui;
  task: Pick<TaskRow, "id" | "project_id">;
  preview: TaskPreview;
}

/** What a preview says would change, and of what nobody knows. */
export function Prediction({ ui, task, preview }: PredictionProps) {
  const { changes, next, hosts, changed_hosts: count } = preview;
  const page = ui.href(paths.reviewTask(task.project_id, task.id));
  return (
    <section id="prediction" aria-labelledby="prediction-title">
      <h2 id="prediction-title">{ui.t("preview.would_change_title")}</h2>
      <p>
        {ui.t("preview.would_change", { count, hosts })} {ui.t("preview.uncertain")}
      </p>
      {!preview.complete && <Alert kind="warning">{ui.t("preview.incomplete")}</Alert>}
      <Unchecked ui={ui} preview={preview} />
      {changes.length === 0 && <p>{ui.t("preview.no_changes")}</p>}
      {changes.map((change, n) => <Change key={n} ui={ui} change={change} />)}
      {next !== null && (
        <p>
          <a href={`${page}?after=${next}`}>{ui.t("preview.next")}</a>
        </p>
      )}
    </section>
  );
}

function Unchecked({ ui, preview: { unchecked } }: Pick<PredictionProps, "ui" | "preview">) {
  if (unchecked.length === 0) return null;
  return (
    <Alert kind="warning" title={ui.t("preview.unchecked_title")}>
      <p class="m-0">{ui.t("preview.unchecked_hint")}</p>
      <ul class="preview-list">
        {unchecked.map(({ play_task, action, hosts: count }) => (
          <li>
            {visible(play_task)} (<code>{visible(action)}</code>),{" "}
            {ui.t("preview.unchecked_hosts", { count })}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** One change, on all hosts that it is the same on. */
function Change({ ui, change }: { ui: Ui; change: PredictedChange }) {
  const { play_task, role, hosts, more, diff } = change;
  return (
    <details class="reveal preview-change">
      <summary>
        {role && `${visible(role)}: `}
        {visible(play_task)}{" "}
        <span class="text-muted">
          {ui.t("preview.on_hosts", { count: hosts.length + more })}
        </span>
      </summary>
      <p>
        <SomeHosts ui={ui} hosts={hosts} more={more} />
      </p>
      {diff === ""
        ? <p>{ui.t("preview.no_diff")}</p>
        : <Diff diff={diff} label={ui.t("preview.diff_of", { name: visible(play_task) })} />}
    </details>
  );
}

/** Hosts by name, and how many there are besides. */
export const SomeHosts = ({ ui, hosts, more }: { ui: Ui; hosts: string[]; more: number }) => (
  <>
    {hosts.map(visible).join(", ")}
    {more > 0 && ` ${ui.t("preview.and_more", { count: more })}`}
  </>
);
