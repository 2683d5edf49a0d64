import { SameFacts } from "@/components/compare/Facts.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { Review } from "@/lib/previews/service.ts";
import { Outcome } from "./Outcome.tsx";
import { Prediction } from "./Prediction.tsx";

interface ReviewDialogProps {
  ui: Ui;
  review: Review;
  mayRun: boolean;
}

/** What somebody confirms, with what it would change; and afterwards, what came otherwise. */
export function ReviewDialog({ ui, review, mayRun }: ReviewDialogProps) {
  const { task, facts, preview } = review;
  const { id, project_id: projectId, template_id: templateId } = task;
  return (
    <Dialog
      id="review"
      width="huge"
      title={ui.t("preview.title", { id })}
      close={{ href: ui.href(paths.task(projectId, templateId, id)), label: ui.t("actions.close") }}
    >
      {task.message && <p>{visible(task.message)}</p>}
      {task.status === "waiting_confirmation" && mayRun && <Answer ui={ui} task={task} />}
      {task.preview?.unchanged && <p>{ui.t("preview.unchanged")}</p>}
      {preview && <Outcome ui={ui} preview={preview} />}
      {preview && <Prediction ui={ui} task={task} preview={preview} />}
      <section id="review-given" aria-labelledby="review-given-title">
        <h2 id="review-given-title">{ui.t("preview.given")}</h2>
        <SameFacts ui={ui} caption={ui.t("preview.given")} facts={facts} run={task} />
        {task.secret_names && task.secret_names.length > 0 && (
          <p>{ui.t("preview.secret_answers", { names: task.secret_names.join(", ") })}</p>
        )}
      </section>
    </Dialog>
  );
}

/** Yes or no. */
function Answer({ ui, task }: { ui: Ui; task: Review["task"] }) {
  const page = ui.href(paths.taskPage(task.project_id, task.id));
  const isPinned = task.commit_hash !== null;
  return (
    <>
      {task.preview && (
        <p>
          {ui.t("preview.waits")} {!isPinned && ui.t("preview.unpinned")}
        </p>
      )}
      <div class="task-commands">
        <form method="post" action={`${page}/confirm`}>
          <Button kind="primary" icon="check">{ui.t("tasks.confirm")}</Button>
        </form>
        <form method="post" action={`${page}/reject`}>
          <Button kind="danger" icon="stopped">{ui.t("preview.reject")}</Button>
        </form>
      </div>
    </>
  );
}
