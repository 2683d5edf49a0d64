import { paths } from "@/lib/base/paths.ts";
import { backPath } from "@/lib/web/pages/back.ts";
import type { State } from "@/lib/web/state.ts";

/** Returns the page that shows a task, as the address of an event stream names it in `page`. */
export function pageAsked(
  { state: { shell, deps }, url }: { state: State; url: URL },
  taskId: number,
): URL {
  const own = paths.taskPage(shell.project.id, taskId);
  const path = backPath(url.searchParams.get("page"), shell.project.id, own);
  return new URL(deps.config.basePath + path, url);
}
