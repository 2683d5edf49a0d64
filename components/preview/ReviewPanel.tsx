import type { ComponentChildren } from "preact";
import { Given } from "./Given.tsx";
import { Outcome } from "./Outcome.tsx";
import { Prediction } from "./Prediction.tsx";
import { ChangeList, type ChangeListProps } from "@/components/results/ChangeList.tsx";
import type { TaskPlace } from "@/components/tasks/task_place.ts";
import { Button } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Review } from "@/lib/previews/service.ts";

interface ReviewPanelProps {
  ui: Ui;
  place: TaskPlace;
  review: Review;
  /** Some of the predicted changes, and links to others. */
  list: Pick<ChangeListProps, "changes" | "wholeOf">;
  pages: ComponentChildren;
  mayRun: boolean;
  /** Address that the answer returns to, without sub-path. */
  back: string;
}

/**
 * A task that waits for confirmation with its predicted changes, and afterwards the differences.
 */
export function ReviewPanel(props: ReviewPanelProps) {
  const { ui, place, review, list, pages, mayRun, back } = props;
  const { task, preview } = review;
  return (
    <div id="review" class={preview ? "review" : undefined} tabIndex={-1}>
      {preview && <Outcome ui={ui} place={place} preview={preview} />}
      {preview && (
        <Prediction {...{ ui, place, preview }} hidesDiffs={task.vaults.length > 0 && !task.diff} />
      )}
      <Given ui={ui} place={place} review={review} />
      {preview && (
        <div class="review-changes">
          <ChangeList {...{ ui, place }} {...list} isApart={preview.confirmed_by !== ""} />
          {pages}
        </div>
      )}
      {mayRun && task.status === "waiting_confirmation" && (
        <Answer ui={ui} task={task} back={back} />
      )}
    </div>
  );
}

/** The buttons to confirm or reject, always in view. */
function Answer({ ui, task, back }: { ui: Ui; task: Review["task"]; back: string }) {
  const page = ui.href(paths.taskPage(task.project_id, task.id));
  return (
    <div class="review-answer">
      {(task.preview?.carried_out ?? 0) > 0 && <p class="m-0">{ui.t("preview.reject_done")}</p>}
      <form method="post" action={`${page}/reject`} data-stay>
        <input type="hidden" name="back" value={back} />
        <Button kind="danger" icon="stopped">{ui.t("preview.reject")}</Button>
      </form>
      <form method="post" action={`${page}/confirm`} data-stay>
        <input type="hidden" name="back" value={back} />
        <Button kind="primary" icon="check">{ui.t("tasks.confirm")}</Button>
      </form>
    </div>
  );
}
