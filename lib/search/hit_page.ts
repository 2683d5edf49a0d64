import { grants } from "../access/permissions.ts";
import type { ProjectScope } from "../access/scope.ts";
import { SECTION_OF } from "../base/nouns.ts";
import { paths } from "../base/paths.ts";
import type { SearchKind } from "./schema.ts";

/** An object that was found, and the template whose page is shown if the object has none. */
interface Found {
  kind: SearchKind;
  id: number;
  name: string;
  templateId?: number;
  /** Whether a task has reached the host, which then has a page. */
  isReached?: boolean;
}

/** Returns the page of a hit. People who may not change a resource get the list that it is in. */
export function hitPage(
  { projectId, permissions }: ProjectScope,
  { kind, id, name, templateId, isReached }: Found,
): string {
  if (isReached) return paths.host(projectId, name);
  switch (kind) {
    case "templates":
      return paths.template(projectId, id);
    case "tasks":
      return paths.task(projectId, templateId!, id);
    case "schedules":
      return paths.template(projectId, templateId!);
    case "views":
      return paths.templates(projectId, id);
    case "integrations":
      return paths.integration(projectId, id);
    case "members":
      return paths.section(projectId, "team");
    default: {
      const section = SECTION_OF[kind === "hosts" ? "inventories" : kind];
      return grants(permissions, "manage_resources")
        ? paths.item(projectId, section, id)
        : paths.section(projectId, section);
    }
  }
}
