import type { AdminScope, ProjectScope } from "../access/scope.ts";
import { notFound } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import { nextId } from "../kv/ids.ts";
import { transact } from "../kv/transact.ts";
import { runnerEvent } from "./events.ts";
import { newRunner } from "./new_runner.ts";
import { getRunnerEntry, insertRunner, putRunner } from "./repository.ts";
import type { RunnerRow } from "./rows.ts";
import type { RunnerForm } from "./schema.ts";
import { newRunnerToken } from "./tokens.ts";

/** Scope of people who manage the runners of a project, or those of the server. */
type RunnersScope = ProjectScope<"manage_resources"> | AdminScope;

/** How long a one-time registration token is valid. */
const REGISTRATION_MS = 60 * 60_000;

const projectOf = (scope: RunnersScope): number | null =>
  "projectId" in scope ? scope.projectId : null;

/** Returns a runner that the caller manages. Throws not found. */
async function getOwnEntry(scope: RunnersScope, id: number): Promise<Deno.KvEntry<RunnerRow>> {
  const entry = await getRunnerEntry(scope.deps.kv, id);
  if ("projectId" in scope && entry.value.project_id !== scope.projectId) throw notFound();
  return entry;
}

/** Creates a runner with a one-time registration token, which cannot be seen again. */
export async function createRunner(
  scope: RunnersScope,
  form: RunnerForm,
): Promise<{ runner: RunnerRow; registrationToken: string }> {
  const { deps, actor } = scope;
  const id = await nextId(deps.kv, "runners");
  const now = deps.clock.now();
  const project_id = projectOf(scope);
  const project_ids = project_id === null ? form.project_ids : [];
  const { text, registration } = newRegistration(id, now);
  const runner: RunnerRow = {
    ...newRunner(id, { ...form, project_id, project_ids }, now.toISOString()),
    registration,
  };
  await transact(deps.kv, async (op) => {
    await insertRunner(deps.kv, op, runner);
    recordEvent(op, deps, actor, runnerEvent(runner, "created"));
  });
  deps.wakeDispatcher();
  return { runner, registrationToken: text };
}

/**
 * Creates another one-time token for a runner, which ends the one before. A runner that is
 * registered works on until the new token is used.
 */
export async function newRegistrationToken(scope: RunnersScope, id: number): Promise<string> {
  const { deps, actor } = scope;
  return await transact(deps.kv, async (op) => {
    const entry = await getOwnEntry(scope, id);
    const { text, registration } = newRegistration(id, deps.clock.now());
    putRunner(op.check(entry), { ...entry.value, registration });
    recordEvent(op, deps, actor, runnerEvent(entry.value, "token_created"));
    return text;
  });
}

function newRegistration(id: number, now: Date) {
  const { text, hash } = newRunnerToken("once", id);
  const until = new Date(now.getTime() + REGISTRATION_MS).toISOString();
  return { text, registration: { hash, until, used: false } };
}
