import { userIdOf } from "../access/actor.ts";
import type { ProjectScope } from "../access/scope.ts";
import { requireMayEdit } from "../access/sight.ts";
import { recordChange } from "../events/record_change.ts";
import { transact } from "../store/transact.ts";
import { templateRows } from "./repository.ts";
import type { TemplateForm, TemplateRow } from "./schema.ts";
import { templateSettings } from "./settings.ts";

/** Changes the description of a template alone. */
export async function describeTemplate(
  scope: ProjectScope<"manage_resources">,
  id: number,
  { description }: Pick<TemplateForm, "description">,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await requireMayEdit(scope, "templates", id);
  await transact(deps.kv, async (op) => {
    let before: object | null = null;
    const row: TemplateRow = await templateRows.update(deps.kv, op, projectId, id, (stored) => {
      before = templateSettings(stored);
      return { ...stored, description, changed_by: userIdOf(actor) };
    });
    const event = { projectId, object: "template", id, name: row.name, action: "updated" } as const;
    await recordChange(op, deps, actor, event, { before, after: templateSettings(row) });
  });
}
