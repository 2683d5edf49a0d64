import { grants, namesIn, type Permission } from "../access/permissions.ts";
import { findMembership, type ProjectScope, scopeOf } from "../access/scope.ts";
import { requireSeen, rulingOn, sightOf } from "../access/sight.ts";
import { forbidden, invalidField, notFound } from "../base/errors.ts";
import { findUser } from "../model/accounts.ts";
import type { UserRow } from "../model/account_row.ts";
import type { RuledAction } from "../model/access_rule.ts";
import { rowKeys } from "../store/keys.ts";
import { listOutlines } from "../templates/outlines.ts";
import {
  type AccessQuery,
  type EffectiveAccess,
  NAMED_MAX,
  type ObjectRights,
  PEOPLE_MAX,
  type Right,
  type TemplateRights,
} from "./schema.ts";

type ObjectKind = "templates" | "workflows";
/** A template or a workflow. */
export type RuledObject = readonly [kind: ObjectKind, id: number];

/**
 * Returns the effective rights of a person, by default of the actor, or of the members for a
 * template or a workflow. People who manage users may ask about everyone, those who may edit an
 * object about that, and all others about themselves.
 */
export async function listAccess(
  scope: ProjectScope,
  { user_id, template_id, workflow_id, limit, count, after = 0 }: AccessQuery,
): Promise<{ people: EffectiveAccess[]; hasNext: boolean }> {
  const object: RuledObject | null = template_id
    ? ["templates", template_id]
    : workflow_id
    ? ["workflows", workflow_id]
    : null;
  if (template_id && workflow_id) throw invalidField("workflow_id", "errors.access.one_object");
  const person = user_id ?? (object ? null : scope.actor.id);
  if (person) return { people: [await getAccess(scope, person, object)], hasNext: false };
  const page = { limit: Math.min(limit ?? count ?? PEOPLE_MAX, PEOPLE_MAX), after };
  return await listObjectAccess(scope, object!, page);
}

/** Returns the rights of one person. Throws 403 for others unless the actor manages users. */
async function getAccess(
  scope: ProjectScope,
  userId: number,
  object: RuledObject | null,
): Promise<EffectiveAccess> {
  const { actor, permissions, deps: { kv } } = scope;
  const isOwn = actor.kind === "user" && actor.id === userId;
  if (!isOwn && !grants(permissions, "manage_users")) throw forbidden();
  if (object) await requireSeen(scope, ...object);
  const user = (await findUser(kv, userId))?.value;
  const person = user && await scopeOfPerson(scope, user);
  if (!person) throw notFound();
  const access = await accessOf(user, person, object);
  return { ...access, templates: await templateRights(scope, person) };
}

/** Returns the rights of a page of members for an object that the actor may edit. */
export async function listObjectAccess(
  scope: ProjectScope,
  object: RuledObject,
  { limit, after }: { limit: number; after: number },
): Promise<{ people: EffectiveAccess[]; hasNext: boolean }> {
  await requireMayAsk(scope, object);
  const { deps: { kv }, projectId } = scope;
  const ids: number[] = [];
  const rows = kv.list({
    start: rowKeys.member(projectId, after + 1),
    end: rowKeys.member(projectId, Number.MAX_SAFE_INTEGER),
  }, { limit: limit + 1 });
  for await (const { key } of rows) ids.push(Number(key.at(-1)));
  const people = await Promise.all(
    ids.slice(0, limit).map(async (id) => {
      const user = (await findUser(kv, id))?.value;
      const person = user && await scopeOfPerson(scope, user);
      return person ? await accessOf(user, person, object) : [];
    }),
  );
  return { people: people.flat(), hasNext: ids.length > limit };
}

/** Whether the actor may ask who can see, run and edit an object that they see. */
export async function mayAskAbout(scope: ProjectScope, [kind, id]: RuledObject): Promise<boolean> {
  const sight = await sightOf(scope);
  return grants(scope.permissions, "manage_users") ||
    grants(scope.permissions, "manage_resources") && sight.mayEdit(kind, id);
}

async function requireMayAsk(scope: ProjectScope, object: RuledObject): Promise<void> {
  await requireSeen(scope, ...object);
  if (!await mayAskAbout(scope, object)) throw forbidden();
}

/** Returns the scope that a person would have; null for those who cannot open the project. */
async function scopeOfPerson(
  { deps, projectId }: ProjectScope,
  user: UserRow,
): Promise<ProjectScope | null> {
  // Rights do not depend on how a person is signed in.
  const credential = { kind: "session", hash: "" } as const;
  const actor = { ...user, kind: "user", credential } as const;
  const membership = await findMembership(deps.kv, actor, projectId);
  return membership && scopeOf({ deps, actor }, membership);
}

async function accessOf(
  { id, username, name, admin }: UserRow,
  person: ProjectScope,
  object: RuledObject | null,
): Promise<EffectiveAccess> {
  return {
    user_id: id,
    username,
    name,
    role: person.role,
    admin,
    permissions: namesIn(person.permissions),
    rights: object && await rightsOf(person, object),
    templates: null,
  };
}

/** Returns what someone may do with an object, and why. */
async function rightsOf(person: ProjectScope, object: RuledObject): Promise<ObjectRights> {
  const see = await rightOf(person, "visible_to", object);
  const other = async (action: RuledAction, permission: Permission): Promise<Right> => {
    if (!see.allowed) return see;
    return await rightOf(person, action, object, permission);
  };
  return {
    see,
    run: await other("run_by", "run_tasks"),
    edit: await other("edit_by", "manage_resources"),
  };
}

async function rightOf(
  person: ProjectScope,
  action: RuledAction,
  object: RuledObject,
  permission?: Permission,
): Promise<Right> {
  const { actor, permissions } = person;
  if (actor.kind === "user" && actor.admin) return { allowed: true, origin: "admin" };
  if (permission && !grants(permissions, permission)) return { allowed: false, origin: "role" };
  const ruling = await rulingOn(person, action, ...object);
  return ruling
    ? { allowed: ruling.allowed, origin: ruling.of }
    : { allowed: true, origin: "role" };
}

/** Returns which of the templates that the actor sees a person sees, runs and edits. */
async function templateRights(scope: ProjectScope, person: ProjectScope): Promise<TemplateRights> {
  const [templates, sight] = await Promise.all([listOutlines(scope), sightOf(person)]);
  const { permissions } = person;
  const seen = templates.filter(({ id }) => sight.maySee("templates", id));
  const hidden = templates.filter(({ id }) => !sight.maySee("templates", id));
  const count = (permission: Permission, may: (id: number) => boolean) =>
    grants(permissions, permission) ? seen.filter(({ id }) => may(id)).length : 0;
  return {
    total: templates.length,
    seen: seen.length,
    runnable: count("run_tasks", (id) => sight.mayRun("templates", id)),
    editable: count("manage_resources", (id) => sight.mayEdit("templates", id)),
    hidden: hidden.slice(0, NAMED_MAX).map(({ id, name }) => ({ id, name })),
  };
}
