import { forbidden, notFound } from "../base/errors.ts";
import { onceFor } from "../base/once_for.ts";
import {
  type Audience,
  RULED_KINDS,
  type RuledAction,
  type RuledKind,
} from "../model/access_rule.ts";
import type { Store } from "../store/store.ts";
import type { Actor } from "./actor.ts";
import { grants } from "./permissions.ts";
import { type Rules, rulesOf, sightStamps } from "./rules/read.ts";
import { isAdmins, type Membership } from "./scope.ts";
import { tokenLimitsOf } from "./token_scopes.ts";

/** The part of a task that decides who sees it. */
interface SeenTask {
  template_id: number;
  /** The person who started it; null for a trigger. */
  user_id: number | null;
  /** The run of a workflow that started it, with the person who started that run. */
  workflow?: { starter_id: number | null };
}

/** The part of a schedule or an integration that decides who sees it. */
interface SeenTrigger {
  template_id?: number | null;
  workflow_id?: number | null;
}

/** The part of a project that a person sees, and what they may run and edit in it. */
export interface Sight {
  /** Whether they see all templates, workflows, views and tasks, so that nothing is filtered. */
  readonly seesAll: boolean;
  /** Whether they see tasks that others have started. */
  readonly seesAllTasks: boolean;
  /** Whether a rule hides something from them. */
  readonly isNarrowed: boolean;
  /** The person whose own tasks they are; null for triggers. */
  readonly userId: number | null;
  /** Name of the readers who see the same while the same rules hold; empty for `seesAll`. */
  readonly readers: string;
  maySee(kind: RuledKind, id: number): boolean;
  /** Whether a rule lets them run it, if their role does. */
  mayRun(kind: RuledKind, id: number): boolean;
  /** Whether a rule lets them edit it, if their role does. */
  mayEdit(kind: RuledKind, id: number): boolean;
  maySeeTask(task: SeenTask): boolean;
  /** Whether they see what a trigger starts, and so the trigger. */
  maySeeTarget(trigger: SeenTrigger): boolean;
  /** The objects of a kind that they do not see. They are few, or those of a few views. */
  hidden(kind: RuledKind): ReadonlySet<number>;
}

/** Someone in a project. */
export type Viewer = Pick<Membership, "role" | "permissions" | "withheld" | "rulesVersion"> & {
  deps: { kv: Store };
  actor: Actor;
  projectId: number;
};

/**
 * Returns what the actor of a scope sees of its project. A project without rules costs no read, and
 * others one until a rule or a template changes.
 */
export async function sightOf(viewer: Viewer): Promise<Sight> {
  const { deps: { kv }, projectId, rulesVersion } = viewer;
  const isFree = rulesVersion === null || !isNarrowed(viewer);
  return new RuledSight(viewer, isFree ? null : await rulesOf(kv, projectId));
}

/**
 * Whether rules hold for someone. They do not for people who manage users, and for triggers. Rules
 * are about people, whatever their token leaves of their rights.
 */
export const isNarrowed = ({ actor, permissions, withheld = 0 }: Viewer): boolean =>
  actor.kind === "user" && !isAdmins(actor) && !grants(permissions | withheld, "manage_users");

/** Whether an audience contains someone. */
export const isNamedBy = (
  audience: Audience | null | undefined,
  { actor, role }: Pick<Viewer, "actor" | "role">,
): boolean =>
  !audience || audience.roles.includes(role) ||
  actor.kind === "user" && audience.user_ids.includes(actor.id);

/** Decision of the rule of an object, or of its view, about someone. */
interface Ruling {
  of: "rule" | "view";
  allowed: boolean;
}

/** Returns the rule that decides about an action, a refusal before a permission; null for none. */
export async function rulingOn(
  viewer: Viewer,
  action: RuledAction,
  kind: RuledKind,
  id: number,
): Promise<Ruling | null> {
  const rules = isNarrowed(viewer) ? await rulesOf(viewer.deps.kv, viewer.projectId) : null;
  const viewId = kind === "templates" ? rules?.viewOf.get(id) ?? 0 : 0;
  const found = ([
    ["rule", rules?.own[kind].get(id)?.[action]],
    ["view", rules?.own.views.get(viewId)?.[action]],
  ] as const).flatMap(([of, audience]) =>
    audience ? [{ of, allowed: isNamedBy(audience, viewer) }] : []
  );
  return found.find(({ allowed }) => !allowed) ?? found[0] ?? null;
}

/** Returns those rows as further stamps of a list that is read for a sight. */
export const stampsFor = ({ seesAll }: Sight, projectId: number): Deno.KvKey[] =>
  seesAll ? [] : sightStamps(projectId);

/** Throws 404 if the actor does not see the object. */
export async function requireSeen(viewer: Viewer, kind: RuledKind, id: number): Promise<void> {
  if (!(await sightOf(viewer)).maySee(kind, id)) throw notFound();
}

/** Throws 404 if the actor does not see the object, and 403 if a rule forbids to run it. */
export async function requireMayRun(viewer: Viewer, kind: RuledKind, id: number): Promise<void> {
  const sight = await sightOf(viewer);
  if (!sight.maySee(kind, id)) throw notFound();
  if (!sight.mayRun(kind, id)) throw forbidden();
}

/** Throws 404 if the actor does not see the object, and 403 if a rule forbids to edit it. */
export async function requireMayEdit(viewer: Viewer, kind: RuledKind, id: number): Promise<void> {
  const sight = await sightOf(viewer);
  if (!sight.maySee(kind, id)) throw notFound();
  if (!sight.mayEdit(kind, id)) throw forbidden();
}

/** Rows of a list that are left without some, by the set of those. */
const seenBySet = onceFor((_: readonly unknown[]) => new Map<ReadonlySet<number>, unknown[]>());

/** Returns the rows of a list that are not hidden, computed once for the same list and set. */
export function seenOf<Row extends { id: number }>(
  list: Row[],
  hidden: ReadonlySet<number>,
): Row[] {
  if (hidden.size === 0) return list;
  const known = seenBySet(list);
  const rows = known.get(hidden) as Row[] ?? list.filter(({ id }) => !hidden.has(id));
  known.set(hidden, rows);
  return rows;
}

/** Objects that each person does not see in their role, while the same rules hold. */
const hiddenBy = onceFor((_: Rules) => new Map<string, Record<RuledKind, ReadonlySet<number>>>());

class RuledSight implements Sight {
  readonly userId: number | null;
  readonly seesAllTasks: boolean;
  readonly #viewer: Pick<Viewer, "actor" | "role">;
  readonly #rules: Rules | null;
  /** Templates that the actor's token may run, and no workflows; null for all of both. */
  readonly #runnable: readonly number[] | null;

  constructor({ actor, role, permissions }: Viewer, rules: Rules | null) {
    this.userId = actor.kind === "user" ? actor.id : null;
    this.seesAllTasks = actor.kind !== "user" || grants(permissions, "see_all_tasks");
    this.#viewer = { actor, role };
    this.#rules = rules;
    this.#runnable = tokenLimitsOf(actor)?.template_ids ?? null;
  }

  get seesAll(): boolean {
    return this.seesAllTasks && !this.isNarrowed;
  }

  get isNarrowed(): boolean {
    return RULED_KINDS.some((kind) => this.hidden(kind).size > 0);
  }

  get readers(): string {
    return this.seesAll ? "" : `${this.userId} ${this.#viewer.role} ${this.seesAllTasks}`;
  }

  maySee(kind: RuledKind, id: number): boolean {
    return this.#allows("visible_to", kind, id);
  }

  mayRun(kind: RuledKind, id: number): boolean {
    const isOfToken = this.#runnable === null ||
      kind === "templates" && this.#runnable.includes(id);
    return isOfToken && this.maySee(kind, id) && this.#allows("run_by", kind, id);
  }

  mayEdit(kind: RuledKind, id: number): boolean {
    return this.maySee(kind, id) && this.#allows("edit_by", kind, id);
  }

  maySeeTask({ template_id, user_id, workflow }: SeenTask): boolean {
    const starterId = workflow ? workflow.starter_id : user_id;
    const isOwn = starterId !== null && starterId === this.userId;
    return (this.seesAllTasks || isOwn) && this.maySee("templates", template_id);
  }

  maySeeTarget({ template_id, workflow_id }: SeenTrigger): boolean {
    return workflow_id
      ? this.maySee("workflows", workflow_id)
      : !template_id || this.maySee("templates", template_id);
  }

  hidden(kind: RuledKind): ReadonlySet<number> {
    const rules = this.#rules;
    if (!rules) return NONE;
    const known = hiddenBy(rules);
    const who = `${this.userId} ${this.#viewer.role}`;
    const hidden = known.get(who) ?? {
      templates: this.#hiddenOf("templates", rules.own.templates.keys(), rules.viewOf.keys()),
      workflows: this.#hiddenOf("workflows", rules.own.workflows.keys()),
      views: this.#hiddenOf("views", rules.own.views.keys()),
    };
    known.set(who, hidden);
    return hidden[kind];
  }

  #hiddenOf(kind: RuledKind, ...ruled: Iterable<number>[]): ReadonlySet<number> {
    return new Set(ruled.flatMap((ids) => [...ids]).filter((id) => !this.maySee(kind, id)));
  }

  #allows(action: RuledAction, kind: RuledKind, id: number): boolean {
    if (!this.#rules) return true;
    const { own, viewOf } = this.#rules;
    const viewId = kind === "templates" ? viewOf.get(id) : undefined;
    return isNamedBy(own[kind].get(id)?.[action], this.#viewer) &&
      (viewId === undefined || isNamedBy(own.views.get(viewId)?.[action], this.#viewer));
  }
}

const NONE: ReadonlySet<number> = new Set();

/** The sight of what belongs to no project, which only admins read. */
export const SEES_ALL: Sight = {
  seesAll: true,
  seesAllTasks: true,
  isNarrowed: false,
  userId: null,
  readers: "",
  maySee: () => true,
  mayRun: () => true,
  mayEdit: () => true,
  maySeeTask: () => true,
  maySeeTarget: () => true,
  hidden: () => NONE,
};
