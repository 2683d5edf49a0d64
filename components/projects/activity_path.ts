import { paths } from "../../lib/base/paths.ts";
import type { Activity } from "../../lib/tasks/activity.ts";

/**
 * The page of what something happened to; null where there is none, not any more, or not for readers
 * who may not manage the project.
 */
export function activityPath(
  projectId: number,
  { object_type, object }: Pick<Activity, "object_type" | "object">,
  mayManage: boolean,
): string | null {
  if (!object) return null;
  const { id, template_id = 0 } = object;
  switch (object_type) {
    case "task":
      return paths.over(paths.section(projectId, "activity"), id);
    case "template":
      return paths.template(projectId, id);
    case "schedule":
      return paths.template(projectId, template_id);
    case "view":
      return paths.templates(projectId, id);
    case "integration":
      return paths.integration(projectId, id);
    case "member":
      return paths.section(projectId, "team");
  }
  // Their pages are forms.
  if (!mayManage) return null;
  switch (object_type) {
    case "key":
      return paths.item(projectId, "keys", id);
    case "repository":
      return paths.item(projectId, "repositories", id);
    case "inventory":
      return paths.item(projectId, "inventory", id);
    case "environment":
      return paths.item(projectId, "environment", id);
    default:
      return null;
  }
}
