import { page } from "fresh";
import { ReviewDialog } from "@/components/preview/ReviewDialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reviewTask } from "@/lib/previews/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { define } from "@/lib/web/state.ts";

/** What a task is to do, for who confirms it; what its preview predicted, and what came of that. */
export const handler = define.handlers({
  async GET({ state: { scope }, params, url: { searchParams } }) {
    const after = searchParams.get("after")?.slice(0, 20);
    return page({ review: await reviewTask(scope, pageId(params.taskId), after) });
  },
});

export default define.page<typeof handler>(({ data: { review }, state: { ui, shell } }) => (
  <>
    <Title ui={ui} parts={[ui.t("preview.title", { id: review.task.id }), shell.project.name]} />
    <ReviewDialog ui={ui} review={review} mayRun={may(shell, "run_tasks")} />
  </>
));
