import { paths, type Section } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { References } from "../../lib/kv/references.ts";
import type { ReferenceGroup } from "../ui/References.tsx";

/** Objects that use a resource, grouped by kind, each with the page where that can be changed. */
export function referenceGroups(
  ui: Ui,
  projectId: number,
  references: References,
): ReferenceGroup[] {
  const item = (section: Section) => (id: number) => paths.item(projectId, section, id);
  const group = (kind: keyof References, path: (id: number) => string): ReferenceGroup => ({
    title: ui.t(`references.${kind}`),
    items: references[kind].map(({ id, name }) => ({ name, href: ui.href(path(id)) })),
  });
  return [
    group("templates", (id) => paths.template(projectId, id)),
    group("inventories", item("inventory")),
    group("repositories", item("repositories")),
    group("schedules", item("schedules")),
    group("integrations", (id) => paths.integration(projectId, id)),
  ].filter(({ items }) => items.length > 0);
}
