import type { ProjectScope } from "../../access/scope.ts";
import type { z } from "zod";
import { conflict, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordEvent } from "../../events/record.ts";
import { parseWith } from "../../base/parse.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { referencesTo } from "../../references/service.ts";
import { integrationEvent, integrationRows } from "./repository.ts";
import type { IntegrationRow } from "./schema.ts";
import { fitsList, MATCHERS_MAX } from "./part_schemas.ts";

type PartList = "matchers" | "values";
type Part<List extends PartList> = IntegrationRow[List][number];
type Form<List extends PartList> = Omit<Part<List>, "id">;
type View<List extends PartList> = Part<List> & { integration_id: number };
/** Members of a part that a client sends. The others stay. */
type Change = Record<string, string | null | undefined>;

type Manager = ProjectScope<"manage_resources">;

/** Use cases of an integration's matchers, or of its extract values. */
export function partService<List extends PartList>(
  list: List,
  object: "matcher" | "value",
  form: z.ZodType<Form<List>>,
) {
  const partsOf = (row: IntegrationRow) => row[list] as Part<List>[];
  const view = (part: Part<List>, integrationId: number): View<List> => ({
    ...part,
    integration_id: integrationId,
  });

  async function edit(
    { deps, actor, projectId }: Manager,
    integrationId: number,
    action: "added" | "updated" | "deleted",
    changed: (parts: Part<List>[]) => { parts: Part<List>[]; name: string },
  ): Promise<void> {
    await transact(deps.kv, async (op) => {
      let name = "";
      const row = await integrationRows.update(deps.kv, op, projectId, integrationId, (row) => {
        const edited = changed(partsOf(row));
        if (!fitsList(edited.parts)) throw conflict("errors.integration_too_large");
        name = edited.name;
        return { ...row, [list]: edited.parts };
      });
      recordEvent(op, deps, actor, {
        ...integrationEvent(row),
        action: `${object}_${action}`,
        params: { part: name },
      });
    });
  }

  async function get({ deps, projectId }: ProjectScope, integrationId: number, id: number) {
    const row = await integrationRows.get(deps.kv, projectId, integrationId);
    const part = find(partsOf(row), id);
    return versioned(view(part, integrationId), part);
  }

  return {
    get,

    async list(
      { deps, projectId }: ProjectScope,
      integrationId: number,
    ): Promise<View<List>[]> {
      const row = await integrationRows.get(deps.kv, projectId, integrationId);
      return partsOf(row).map((part) => view(part, integrationId));
    },

    /** Always empty, because nothing refers to a part. */
    async references(scope: ProjectScope, integrationId: number, id: number) {
      await get(scope, integrationId, id);
      return await referencesTo(scope, ["integrations", integrationId]);
    },

    async create(
      scope: Manager,
      integrationId: number,
      form: Form<List>,
    ): Promise<View<List>> {
      const id = await nextId(scope.deps.kv, `integration_${list}`);
      const part = { ...form, id } as Part<List>;
      await edit(scope, integrationId, "added", (parts) => {
        if (parts.length >= MATCHERS_MAX) throw conflict("errors.list_full", { max: MATCHERS_MAX });
        return { parts: [...parts, part], name: part.name };
      });
      return view(part, integrationId);
    },

    async update(
      scope: Manager,
      integrationId: number,
      id: number,
      change: Change,
      expected?: Expected,
    ): Promise<void> {
      const said = Object.entries(change).filter(([, value]) => (value ?? null) !== null);
      await edit(scope, integrationId, "updated", (parts) => {
        const before = find(parts, id);
        requireVersion(before, expected);
        const whole = parseWith(form, { ...before, ...Object.fromEntries(said) });
        const after = { ...whole, id } as Part<List>;
        return { parts: parts.map((part) => part === before ? after : part), name: after.name };
      });
    },

    async delete(scope: Manager, integrationId: number, id: number, expected?: Expected) {
      await edit(scope, integrationId, "deleted", (parts) => {
        const gone = find(parts, id);
        requireVersion(gone, expected);
        return { parts: parts.filter((part) => part !== gone), name: gone.name };
      });
    },
  };
}

function find<T extends { id: number }>(parts: T[], id: number): T {
  const part = parts.find((part) => part.id === id);
  if (!part) throw notFound();
  return part;
}
