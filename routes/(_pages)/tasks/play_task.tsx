import { taskName } from "@/components/results/task_name.ts";
import { TaskResults } from "@/components/results/TaskResults.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import type { PlayTask } from "@/lib/results/schema.ts";
import { listRunResults } from "@/lib/results/service.ts";
import { numberAsked, type TabAsked } from "./tab.ts";

/** Rows per page. */
const PAGE_RESULTS = 100;

/** Shows the results of one Ansible task on its hosts. */
export async function showTask(asked: TabAsked, playTask: PlayTask) {
  const { state: { ui, scope }, task, address, which } = asked;
  const { id, path, path_line } = playTask;
  const after = numberAsked(asked, "after");
  const { results, hasNext } = await listRunResults(scope, task.id, {
    ...which,
    playTask: id,
    after,
    limit: PAGE_RESULTS,
  });
  const pageAt = (after?: number) => address.href("timeline", { task: id, after });
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <>
      <p class="m-0">
        <a href={address.href("timeline")} aria-current="false" data-stay>
          {ui.t("timeline.whole")}
        </a>
      </p>
      <Heading id="timeline-task">{taskName(playTask)}</Heading>
      {path && (
        <p class="text-muted">
          <code>{path_line ? `${path}:${path_line}` : path}</code>
        </p>
      )}
      <TaskResults {...{ ui, address, playTask, results }} />
      <Pagination
        ui={ui}
        newest={after ? pageAt() : undefined}
        older={hasNext ? pageAt(results.at(-1)?.id) : undefined}
        labels={[ui.t("results.first"), ui.t("results.next")]}
        stays
      />
    </>
  );
}
