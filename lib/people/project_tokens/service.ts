import { namesOf, type UserActor } from "../../access/actor.ts";
import { newProjectToken } from "../../access/bearer_tokens.ts";
import { accessChanged } from "../../access/changed.ts";
import { requireAccount, requireSession } from "../../access/credentials.ts";
import type { Deps } from "../../access/deps.ts";
import { covers } from "../../access/permissions.ts";
import {
  listProjectTokenRows,
  type ProjectTokenRow,
  putProjectToken,
  suspendedBy,
} from "../../access/tokens/project_tokens.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { checkedLimits, requireNarrower } from "../../access/tokens/token_form.ts";
import { narrowed, tokenLimitsOf } from "../../access/token_scopes.ts";
import { AppError, conflict, forbidden, invalidField, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { recordChange } from "../../events/record_change.ts";
import type { UserRow } from "../../model/account_row.ts";
import type { MemberRow } from "../../model/project_row.ts";
import { findTemplateHeads } from "../../model/templates.ts";
import { guardProject } from "../../store/guard_project.ts";
import { nextId } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { transact } from "../../store/transact.ts";
import { PREFIX_LENGTH } from "../tokens/schema.ts";
import type { ProjectTokenForm, ProjectTokenView } from "./schema.ts";

type TeamScope = ProjectScope<"manage_users">;

const TOKENS_MAX = 200;

/** Returns the tokens of the project without their secrets, and why some do not work. */
export async function listProjectTokens(
  { deps, projectId }: TeamScope,
): Promise<ProjectTokenView[]> {
  const rows = await listProjectTokenRows(deps.kv, projectId);
  const creators = rows.map(({ row }) => row.creator.user_id);
  const users = await getAll<UserRow>(deps.kv, creators.map((id) => rowKeys.user(id)));
  const members = await getAll<MemberRow>(
    deps.kv,
    creators.map((id) => rowKeys.member(projectId, id)),
  );
  return await Promise.all(
    rows.map(({ row }, n) => viewOf(row, users[n].value, members[n].value, deps)),
  );
}

/**
 * Creates a token that belongs to the project. It may do what its scopes say, as far as its creator
 * can give that. Throws 403 for a token that may not create others.
 */
export async function createProjectToken(
  scope: TeamScope,
  form: ProjectTokenForm,
): Promise<ProjectTokenView> {
  const { deps, projectId, permissions: given } = scope;
  const actor = requirePerson(scope);
  const now = deps.clock.now();
  if (form.expires_at !== null && Date.parse(form.expires_at) <= now.getTime()) {
    throw invalidField("expires_at", "errors.time_passed");
  }
  const { scopes, template_ids, networks } = form;
  const limits = checkedLimits({ scopes, template_ids, networks, project_ids: [projectId] })!;
  await requireTemplates(scope, limits.template_ids);
  requireNarrower(tokenLimitsOf(actor), limits);
  const permissions = narrowed(given, limits);
  const { text, hash } = newProjectToken(actor.id, projectId);
  const row: ProjectTokenRow = {
    id: await nextId(deps.kv, "project_tokens"),
    project_id: projectId,
    name: form.name,
    prefix: text.slice(0, PREFIX_LENGTH),
    created: now.toISOString(),
    creator: { ...namesOf(actor), user_id: actor.id },
    expires_at: form.expires_at,
    last_used: null,
    limits,
    permissions,
    withheld: given & ~permissions,
  };
  await transact(deps.kv, async (op) => {
    if ((await listProjectTokenRows(deps.kv, projectId)).length >= TOKENS_MAX) {
      throw conflict("errors.too_many_tokens", { max: TOKENS_MAX });
    }
    await guardProject(deps.kv, op, projectId);
    const [user, member] = await deps.kv.getMany<[UserRow, MemberRow]>([
      rowKeys.user(actor.id),
      rowKeys.member(projectId, actor.id),
    ]);
    // Checked in the commit, so that a person who is demoted meanwhile leaves no token.
    if (await suspendedBy(deps.kv, row, user.value, member.value)) throw forbidden();
    op.check(user, member);
    putProjectToken(op, hash, row, now);
    const event = { ...eventOf(scope, row), action: "token_created" };
    await recordChange(op, deps, actor, event, { before: null, after: row.limits });
  });
  const [user, member] = await deps.kv.getMany<[UserRow, MemberRow]>([
    rowKeys.user(actor.id),
    rowKeys.member(projectId, actor.id),
  ]);
  return { ...await viewOf(row, user.value, member.value, deps), token: text };
}

/** Throws 400 for a template that is not in the project. */
async function requireTemplates(
  { deps: { kv }, projectId }: TeamScope,
  ids: readonly number[] | null,
): Promise<void> {
  const found = await findTemplateHeads(kv, (ids ?? []).map((id) => [projectId, id]));
  if (ids && found.length < ids.length) {
    throw invalidField("template_ids", "errors.not_in_project");
  }
}

/** Returns the person who creates a token, in a session or by a token that may create others. */
function requirePerson({ actor }: TeamScope): UserActor {
  if (actor.kind !== "user") throw forbidden();
  requireAccount(actor);
  const { kind, makesTokens } = actor.credential;
  if (kind === "token" && !makesTokens) throw new AppError(403, "errors.token_makes_none");
  return actor;
}

/**
 * Keeps a token, so that it works without its creator from now on. Only people who may do all that
 * it may can keep it, in a session.
 */
export async function keepProjectToken(scope: TeamScope, id: number): Promise<void> {
  const { deps, actor, projectId, permissions } = scope;
  if (actor.kind !== "user") throw forbidden();
  requireSession(actor);
  const { hash } = await findToken(scope, id);
  const now = deps.clock.now();
  await transact(deps.kv, async (op) => {
    const entry = await deps.kv.get<ProjectTokenRow>(rowKeys.projectToken(projectId, hash));
    const row = entry.value;
    if (!row) throw notFound();
    if (!covers(permissions, row.permissions)) throw forbidden();
    await guardProject(deps.kv, op, projectId);
    op.check(entry, await deps.kv.get(rowKeys.member(projectId, actor.id)));
    putProjectToken(op, hash, { ...row, kept: { ...namesOf(actor), at: now.toISOString() } }, now);
    recordEvent(op, deps, actor, { ...eventOf(scope, row), action: "token_kept" });
  });
}

/** Revokes a token. Its open streams end. */
export async function deleteProjectToken(scope: TeamScope, id: number): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { hash, row } = await findToken(scope, id);
  const op = deps.kv.atomic().delete(rowKeys.projectToken(projectId, hash));
  recordEvent(op, deps, actor, { ...eventOf(scope, row), action: "token_deleted" });
  await op.commit();
  await accessChanged(deps, { project_id: projectId, user_id: null });
}

async function findToken({ deps, projectId }: TeamScope, id: number) {
  const found = (await listProjectTokenRows(deps.kv, projectId)).find(({ row }) => row.id === id);
  if (!found) throw notFound();
  return found;
}

const eventOf = ({ project, projectId }: TeamScope, { name }: ProjectTokenRow) =>
  ({
    projectId,
    object: "project",
    id: projectId,
    name: project.name,
    params: { token: name },
  }) as const;

async function viewOf(
  row: ProjectTokenRow,
  user: UserRow | null,
  member: MemberRow | null,
  { kv, clock }: Pick<Deps, "kv" | "clock">,
): Promise<ProjectTokenView> {
  const { id, project_id, name, prefix, created, creator, expires_at, last_used, limits } = row;
  const isExpired = expires_at !== null && Date.parse(expires_at) <= clock.now().getTime();
  const reason = isExpired ? null : await suspendedBy(kv, row, user, member);
  return {
    id,
    project_id,
    name,
    prefix,
    created,
    created_by: user?.name ?? creator.user_name ?? "",
    expires_at,
    last_used,
    last_address: row.last_address ?? null,
    state: isExpired ? "expired" : reason ? "suspended" : "active",
    reason,
    kept: row.kept !== undefined,
    scopes: limits.scopes && [...limits.scopes],
    template_ids: limits.template_ids && [...limits.template_ids],
    networks: limits.networks && [...limits.networks],
  };
}
