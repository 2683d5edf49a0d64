import type { AdminScope, ProjectScope } from "../access/scope.ts";
import { invalidField, notFound } from "../base/errors.ts";
import { type Expected, requireVersion } from "../base/version.ts";
import { recordChange } from "../events/record_change.ts";
import { getAll } from "../store/rows/get_all.ts";
import { nextId } from "../store/ids.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import { runnerEvent } from "./events.ts";
import { newRunner } from "./new_runner.ts";
import { seenRunners } from "./presence.ts";
import {
  getRunnerEntry,
  insertRunner,
  listRunners,
  putRunner,
  removeRunner,
} from "./repository.ts";
import { type RunnerRow, servesProject } from "./rows.ts";
import type {
  RunnerBody,
  RunnerChange,
  RunnerForm,
  RunnerState,
  RunnerTag,
  RunnerView,
} from "./schema.ts";
import { newRunnerToken } from "./tokens.ts";
import { changeableOf, runnerView } from "./views.ts";

/** Scope of people who see the runners of a project, or those of the server. */
export type RunnersScope = ProjectScope | AdminScope;
/** Scope of people who manage them. Admins manage those of all projects. */
export type RunnerManager = ProjectScope<"manage_runners"> | AdminScope;

/** Time for which a one-time registration token is valid. */
const REGISTRATION_MS = 60 * 60_000;

/** Returns the project whose runners a scope is for; null for those of the server. */
export const projectOf = (scope: RunnersScope): number | null =>
  "projectId" in scope ? scope.projectId : null;

/** Whether a runner or a token belongs to the scope. Everything belongs to that of an admin. */
export const isOwn = (scope: RunnersScope, { project_id }: Pick<RunnerRow, "project_id">) =>
  !("projectId" in scope) || project_id === scope.projectId;

/** Returns a runner of the scope. Throws not found. */
async function getOwnEntry(
  scope: RunnersScope,
  id: number,
): Promise<Deno.KvEntry<RunnerRow>> {
  const entry = await getRunnerEntry(scope.deps.kv, id);
  if (!isOwn(scope, entry.value)) throw notFound();
  return entry;
}

/** Returns the runners of a project by id; all runners for an admin. */
export async function listOwnRunners(scope: RunnersScope): Promise<RunnerView[]> {
  const { kv, clock } = scope.deps;
  const own = (await listRunners(kv)).filter((row) => isOwn(scope, row));
  const seen = own.length > 0 ? await seenRunners(kv) : new Map();
  return own.map((row) => runnerView(row, seen.get(row.id), clock.now()));
}

/** Returns the runners of the server that also serve a project, without their other projects. */
export async function listServingRunners(
  { deps: { kv, clock }, projectId }: ProjectScope,
): Promise<RunnerView[]> {
  const serving = (await listRunners(kv))
    .filter((row) => row.project_id === null && servesProject(row, projectId));
  const seen = serving.length > 0 ? await seenRunners(kv) : new Map();
  return serving.map((row) =>
    runnerView({ ...row, project_ids: [] }, seen.get(row.id), clock.now())
  );
}

/** Returns the names of the runners that a project can use, by their ids. */
export async function listRunnerNames(
  { deps, projectId }: ProjectScope,
): Promise<ReadonlyMap<number, string>> {
  const rows = (await listRunners(deps.kv)).filter((row) => servesProject(row, projectId));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns a runner of the scope. Throws not found. */
export async function getRunner(scope: RunnersScope, id: number): Promise<RunnerView> {
  const { value } = await getOwnEntry(scope, id);
  return runnerView(value, (await seenRunners(scope.deps.kv)).get(id), scope.deps.clock.now());
}

/** Returns the labels of the runners that a project can use; those of all runners for an admin. */
export async function listRunnerTags(scope: RunnersScope): Promise<RunnerTag[]> {
  const projectId = projectOf(scope);
  const rows = (await listRunners(scope.deps.kv))
    .filter((row) => projectId === null || servesProject(row, projectId));
  const tags = Map.groupBy(rows.flatMap(({ labels }) => labels), (label) => label);
  return [...tags].map(([tag, { length }]) => ({ tag, number_of_runners: length }))
    .toSorted((a, b) => a.tag < b.tag ? -1 : 1);
}

/** Returns the labels of the runners that a project can use, sorted. */
export const listRunnerLabels = async (scope: ProjectScope): Promise<string[]> =>
  (await listRunnerTags(scope)).map(({ tag }) => tag);

/**
 * Creates a runner with a one-time registration token, which cannot be seen again, unless `form`
 * says that it is to be registered later.
 */
export async function createRunner(
  scope: RunnerManager,
  form: Omit<RunnerForm, "name"> & Partial<RunnerBody>,
): Promise<{ runner: RunnerView; registrationToken: string }> {
  const { deps, actor } = scope;
  const project_ids = await projectsOf(scope, form);
  const id = await nextId(deps.kv, "runners");
  const now = deps.clock.now();
  const { text, registration } = newRegistration(id, now);
  const isLater = form.registered === false;
  const runner: RunnerRow = {
    ...newRunner(id, { ...form, project_id: projectOf(scope), project_ids }, now.toISOString()),
    state: form.active === false ? "paused" : "active",
    registration: isLater ? null : registration,
  };
  await transact(deps.kv, async (op) => {
    await insertRunner(deps.kv, op, runner);
    const states = { before: null, after: changeableOf(runner) };
    await recordChange(op, deps, actor, runnerEvent(runner, "created"), states);
  });
  return {
    runner: runnerView(runner, undefined, now),
    registrationToken: isLater ? "" : text,
  };
}

/** Returns the projects of a form, which an admin can choose. Throws 400 if one does not exist. */
export async function projectsOf(
  scope: RunnersScope,
  { project_ids }: Pick<RunnerForm, "project_ids">,
): Promise<number[]> {
  if (projectOf(scope) !== null) return [];
  const rows = await getAll(scope.deps.kv, project_ids.map((id) => rowKeys.project(id)));
  if (rows.some(({ versionstamp }) => versionstamp === null)) {
    throw invalidField("project_ids", "errors.runners.project");
  }
  return project_ids;
}

/** Changes a runner with `change`, and records it as `action`. Returns the changed runner. */
async function edit(
  scope: RunnerManager,
  id: number,
  action: string,
  change: (row: RunnerRow) => RunnerRow,
): Promise<RunnerRow> {
  const { deps, actor } = scope;
  const changed = await transact(deps.kv, async (op) => {
    const entry = await getOwnEntry(scope, id);
    const row = change(entry.value);
    putRunner(op.check(entry), row);
    const states = { before: changeableOf(entry.value), after: changeableOf(row) };
    await recordChange(op, deps, actor, runnerEvent(row, action), states);
    return row;
  });
  deps.wakeDispatcher();
  return changed;
}

/** Changes a runner. Throws 412 if the stored runner is not `expected`. */
export async function updateRunner(
  scope: RunnerManager,
  id: number,
  form: Omit<RunnerForm, "name"> & Partial<RunnerChange>,
  expected?: Expected,
): Promise<void> {
  const project_ids = await projectsOf(scope, form);
  const { name, description, labels, max_parallel_tasks, active, is_default } = form;
  await edit(scope, id, "updated", (row) => {
    requireVersion(changeableOf(row), expected);
    return {
      ...row,
      ...{ name: name ?? row.name, description, labels, max_parallel_tasks },
      is_default: is_default ?? row.is_default,
      // An admin may change the runner of a project, too.
      project_ids: row.project_id === null ? project_ids : [],
      state: active === undefined ? row.state : stateOf(row.state, active),
    };
  });
}

/** Returns the state after a client has set `active`. A draining runner is not active, either. */
const stateOf = (state: RunnerState, active: boolean): RunnerState =>
  active ? "active" : state === "active" ? "paused" : state;

export async function setRunnerActive(
  scope: RunnerManager,
  id: number,
  active: boolean,
): Promise<void> {
  const { value } = await getOwnEntry(scope, id);
  await setRunnerState(scope, id, stateOf(value.state, active));
}

/** Pauses, drains or resumes a runner. Its current tasks continue. */
export async function setRunnerState(
  scope: RunnerManager,
  id: number,
  state: RunnerState,
): Promise<void> {
  const { value } = await getOwnEntry(scope, id);
  if (value.state !== state) await edit(scope, id, state, (row) => ({ ...row, state }));
}

/** Ends all tokens of a runner immediately. It must be registered again. */
export async function revokeRunner(scope: RunnerManager, id: number): Promise<void> {
  const ended = { token_hash: null, next_token_hash: null, registration: null };
  await edit(scope, id, "revoked", (row) => ({ ...row, ...ended }));
}

/** Deletes a runner. Throws not found, and 412 if the stored runner is not `expected`. */
export async function deleteRunner(
  scope: RunnerManager,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const entry = await getOwnEntry(scope, id);
    requireVersion(changeableOf(entry.value), expected);
    removeRunner(op.check(entry), id);
    const states = { before: changeableOf(entry.value), after: null };
    await recordChange(op, deps, actor, runnerEvent(entry.value, "deleted"), states);
  });
  deps.wakeDispatcher();
}

/**
 * Creates another one-time token for a runner, which ends the one before. A runner that is
 * registered works on until the new token is used.
 */
export async function newRegistrationToken(scope: RunnerManager, id: number) {
  const { text, registration } = newRegistration(id, scope.deps.clock.now());
  const withToken = (row: RunnerRow) => ({ ...row, registration });
  const { project_id } = await edit(scope, id, "token_created", withToken);
  return { token: text, registration_token: text, runner_id: id, project_id };
}

function newRegistration(id: number, now: Date) {
  const { text, hash } = newRunnerToken("once", id);
  const until = new Date(now.getTime() + REGISTRATION_MS).toISOString();
  return { text, registration: { hash, until, used: false } };
}
