import type { Permission } from "../../lib/access/permissions.ts";
import { paths, type Section } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { References } from "../../lib/store/references.ts";
import type { ReferenceGroup } from "../ui/References.tsx";

/**
 * Objects that use a resource, grouped by kind, each with the page where that can be changed, or
 * else the list that shows it.
 */
export function referenceGroups(
  ui: Ui,
  shell: Shell,
  references: References,
): (ReferenceGroup & { kind: keyof References })[] {
  const projectId = shell.project.id;
  const item = (section: Section, permission: Permission = "manage_resources") => (id: number) =>
    may(shell, permission) ? paths.item(projectId, section, id) : paths.section(projectId, section);
  const group = (kind: keyof References, path: (id: number) => string) => ({
    kind,
    title: ui.t(`references.${kind}`),
    items: references[kind].map(({ id, name }) => ({ name, href: ui.href(path(id)) })),
  });
  return [
    group("templates", (id) => paths.template(projectId, id)),
    group("workflows", (id) => paths.workflow(projectId, id)),
    group("inventories", item("inventory")),
    group("repositories", item("repositories")),
    group("schedules", item("schedules", "manage_triggers")),
    group("keys", item("keys", "manage_keys")),
    group("environments", item("environment")),
    group("toolchains", item("toolchains")),
    group("git_credentials", item("git_credentials", "manage_keys")),
    group("integrations", (id) => paths.integration(projectId, id)),
  ].filter(({ items }) => items.length > 0);
}
