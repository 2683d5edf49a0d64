import { ReviewPanel } from "@/components/preview/ReviewPanel.tsx";
import { REVIEW } from "@/components/tasks/task_address.ts";
import { reviewTask } from "@/lib/previews/service.ts";
import { pageOfChanges, shownChanges } from "./change_page.tsx";
import type { TabAbout, TabAsked, TaskTab } from "./tab.ts";

/**
 * Tab with the predicted changes that someone confirms, and later with the differences from them.
 */
export const REVIEW_TAB: TaskTab = {
  name: REVIEW,
  label: "preview.review",
  isFor: ({ status, preview }) => status === "waiting_confirmation" || preview !== null,
  count,
  show: showReview,
  showUntold: showReview,
};

/**
 * Returns the number of hosts that changed unexpectedly. Before the confirmation, returns the
 * number of hosts that would change.
 */
function count({ state: { ui }, task: { preview } }: TabAsked) {
  if (!preview) return undefined;
  const { hosts, changed_hosts, unpredicted } = preview;
  if (unpredicted > 0) {
    const label = ui.t("preview.unpredicted", { count: unpredicted });
    return { number: ui.number(unpredicted), label, isBad: true };
  }
  if (preview.confirmed_by !== "" || changed_hosts === 0) return undefined;
  const label = ui.t("preview.would_change", { count: changed_hosts, hosts });
  return { number: ui.number(changed_hosts), label };
}

async function showReview({ state, task, address }: TabAbout) {
  const { ui, scope } = state;
  const about = { state, task, address, which: { preview: true } };
  const [review, { changes, wholeOf, pages }] = await Promise.all([
    reviewTask(scope, task.id),
    pageOfChanges(about, REVIEW),
  ]);
  return (
    <ReviewPanel
      {...{ ui, address, review, pages }}
      list={{ changes: await shownChanges(about, changes), wholeOf }}
    />
  );
}
