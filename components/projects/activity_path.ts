import { paths } from "../../lib/base/paths.ts";
import type { Activity } from "../../lib/tasks/activity.ts";

/**
 * Returns the page of an activity's object. Returns null if there is none, if the object was
 * deleted, or if the reader cannot manage the project and the page is a form.
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
  // The remaining pages are forms.
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
