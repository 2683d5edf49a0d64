import type { ProjectScope } from "../../access/scope.ts";
import { grants } from "../../access/permissions.ts";
import type { Config } from "../../base/settings/config.ts";
import { getProjectEntry } from "../../model/projects.ts";
import { conflict, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import {
  claimAlias,
  getProjectAliases,
  integrationEvent,
  integrationRows,
} from "../integrations/repository.ts";
import type { AliasRow } from "../integrations/schema.ts";
import { getSeenIntegration } from "../integrations/seen.ts";
import { nextId } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import type { AliasView } from "./schema.ts";

const ALIASES_MAX = 50;

/** Owner of addresses: an integration's id, or null for the project. */
export type AliasOwner = number | null;

/**
 * The addresses of an integration or project. Anyone who knows an address may call it. Members who
 * may not run tasks only see that it exists, with an empty URL. `origin` is the origin of the
 * request, for servers without a configured URL.
 */
export async function listAliases(
  scope: ProjectScope,
  integrationId: AliasOwner,
  origin: string,
): Promise<AliasView[]> {
  const { deps, projectId, permissions } = scope;
  const aliases = integrationId === null
    ? (await getProjectAliases(deps.kv, projectId)).aliases
    : (await getSeenIntegration(scope, integrationId)).aliases;
  return grants(permissions, "run_tasks")
    ? aliases.map((alias) => aliasView(deps.config, alias, origin))
    : aliases.map(({ id }) => ({ id, url: "" }));
}

/** Creates a new address that cannot be guessed. */
export async function createAlias(
  scope: ProjectScope<"manage_triggers">,
  integrationId: AliasOwner,
  origin: string,
): Promise<AliasView> {
  const { deps, projectId } = scope;
  const alias = { id: await nextId(deps.kv, "aliases"), text: newAliasText() };
  await transact(deps.kv, async (op) => {
    await changeAliases(scope, op, integrationId, "alias_added", (aliases) => {
      if (aliases.length >= ALIASES_MAX) throw conflict("errors.list_full", { max: ALIASES_MAX });
      return [...aliases, alias];
    });
    claimAlias(op, alias, { project_id: projectId, integration_id: integrationId });
  });
  return aliasView(deps.config, alias, origin);
}

/** Deletes an address. Calls to it get 404 from now on. */
export async function deleteAlias(
  scope: ProjectScope<"manage_triggers">,
  owner: AliasOwner,
  id: number,
) {
  await transact(scope.deps.kv, async (op) => {
    await changeAliases(scope, op, owner, "alias_deleted", (aliases) => {
      const gone = aliases.find((alias) => alias.id === id);
      if (!gone) throw notFound();
      op.delete(rowKeys.alias(gone.text));
      return aliases.filter((alias) => alias !== gone);
    });
  });
}

/** Deletes any address of a project. Clients use one path for those of its integrations, too. */
export async function deleteAnyAlias(scope: ProjectScope<"manage_triggers">, id: number) {
  const owner = (await integrationRows.list(scope.deps.kv, scope.projectId))
    .find(({ aliases }) => aliases.some((alias) => alias.id === id));
  await deleteAlias(scope, owner?.id ?? null, id);
}

/** Adds the change of the owner's addresses, and its event, to `op`. */
async function changeAliases(
  scope: ProjectScope,
  op: Atomic,
  integrationId: AliasOwner,
  action: "alias_added" | "alias_deleted",
  change: (aliases: AliasRow[]) => AliasRow[],
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  if (integrationId !== null) {
    await getSeenIntegration(scope, integrationId);
    const row = await integrationRows.update(kv, op, projectId, integrationId, (row) => ({
      ...row,
      aliases: change(row.aliases),
    }));
    return recordEvent(op, deps, actor, { ...integrationEvent(row), action });
  }
  const project = await getProjectEntry(kv, projectId);
  op.check(project);
  const { entry, aliases } = await getProjectAliases(kv, projectId);
  op.check(entry).set(entry.key, change(aliases));
  const { id, name } = project.value;
  recordEvent(op, deps, actor, { projectId, object: "project", id, name, action });
}

const aliasView = (
  { url, basePath }: Config,
  { id, text }: AliasRow,
  origin: string,
): AliasView => ({
  id,
  url: `${url?.origin ?? origin}${basePath}/api/integrations/${text}`,
});

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 16;
/**
 * The largest multiple of the number of letters in a byte. Above it, some letters would occur more
 * often.
 */
const FAIR_BYTES = 256 - 256 % LETTERS.length;

/**
 * Returns the text of a new address. Anyone who knows it may call it, so it cannot be guessed.
 */
export function newAliasText(): string {
  let text = "";
  while (text.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && text.length < LENGTH) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}
