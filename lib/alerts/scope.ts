import type { AdminScope, ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { AppError, conflict, notFound } from "../base/errors.ts";
import { guardProject } from "../store/guard_project.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";

/** Scope of people who set up the alerts of a project, or those of the server. */
export type AlertsScope = ProjectScope<"manage_resources"> | AdminScope;

/** Returns the project in the keys of a scope's rows; 0 for those of the server. */
export const placeOf = (scope: AlertsScope): number => "projectId" in scope ? scope.projectId : 0;

/**
 * Returns the same for people who may set up alerts there. Throws 403 for someone who does not see
 * all of the project, because its alerts would tell them about the rest.
 */
export async function openPlace(scope: AlertsScope): Promise<number> {
  if ("projectId" in scope && !(await sightOf(scope)).seesAll) {
    throw new AppError(403, "errors.alerts.not_all");
  }
  return placeOf(scope);
}

/** Returns the project that an answer names; null for the server. */
export const projectIdOf = (place: number): number | null => place === 0 ? null : place;

/** Whether the actor is a global admin. */
export const isAdmin = ({ actor }: AlertsScope): boolean => actor.kind === "user" && actor.admin;

/** Numbers of the targets and rules of a project or the server. */
export interface AlertSetup {
  targets: number;
  rules: number;
}

export const TARGETS_MAX = 50;
export const RULES_MAX = 100;

/**
 * Adds a change of the targets or rules to `op`, which fails if another one is stored meanwhile: a
 * rule names a target, and their numbers are limited. Throws 409 if there are too many.
 */
export async function changeSetup(
  kv: Store,
  op: Atomic,
  place: number,
  added: Partial<AlertSetup> = {},
): Promise<void> {
  if (place !== 0) await guardProject(kv, op, place);
  const entry = await kv.get<AlertSetup>(rowKeys.alertSetup(place));
  const { targets, rules } = entry.value ?? { targets: 0, rules: 0 };
  const next = { targets: targets + (added.targets ?? 0), rules: rules + (added.rules ?? 0) };
  if (next.targets > TARGETS_MAX && added.targets === 1) {
    throw conflict("errors.alerts.too_many_targets", { max: TARGETS_MAX });
  }
  if (next.rules > RULES_MAX && added.rules === 1) {
    throw conflict("errors.alerts.too_many_rules", { max: RULES_MAX });
  }
  op.check(entry).set(entry.key, next);
}

/** Whether there are rules for a project, its own or those of the server, or a feed. */
export async function hasReceivers(kv: Store, projectId: number): Promise<boolean> {
  const [feed, ...setups] = await kv.getMany<[unknown, AlertSetup, AlertSetup]>([
    rowKeys.alertFeed(projectId),
    rowKeys.alertSetup(projectId),
    rowKeys.alertSetup(0),
  ]);
  return feed.value !== null || setups.some(({ value }) => value !== null && value.rules > 0);
}

/** Returns a row of the scope with its versionstamp. Throws not found. */
export async function getEntry<Row>(kv: Store, key: Deno.KvKey): Promise<Deno.KvEntry<Row>> {
  const entry = await kv.get<Row>(key);
  if (entry.versionstamp === null) throw notFound();
  return entry;
}

/** Returns the event for a target or a rule; `action` is the last part of the locale key. */
export const alertEvent = (
  { project_id, id, name }: { project_id: number; id: number; name: string },
  action: string,
) => ({ projectId: project_id, object: "alert", id, name, action }) as const;
