import { invalidField, notFound } from "../base/errors.ts";
import { recordChange } from "../events/record_change.ts";
import { nextId } from "../store/ids.ts";
import { transact } from "../store/transact.ts";
import { runnerEvent } from "./events.ts";
import {
  findRunnerToken,
  insertRunnerToken,
  listRunnerTokens,
  removeRunnerToken,
} from "./repository.ts";
import type { RunnerTokenRow } from "./rows.ts";
import type { RunnerTokenForm, RunnerTokenView } from "./schema.ts";
import { isOwn, projectOf, projectsOf, type RunnerManager } from "./service.ts";
import { newRunnerToken } from "./tokens.ts";
import { runnerTokenView } from "./views.ts";

/** Returns the reusable tokens of a project by id, without their texts; all for an admin. */
export async function listReusableTokens(scope: RunnerManager): Promise<RunnerTokenView[]> {
  const { kv, clock } = scope.deps;
  const own = (await listRunnerTokens(kv)).filter((row) => isOwn(scope, row));
  return own.map((row) => runnerTokenView(row, clock.now()));
}

/** Creates a reusable token. Its text cannot be seen again. */
export async function createReusableToken(
  scope: RunnerManager,
  form: RunnerTokenForm,
): Promise<RunnerTokenView & { token: string }> {
  const { deps, actor } = scope;
  const now = deps.clock.now();
  if (form.expires_at !== null && Date.parse(form.expires_at) <= now.getTime()) {
    throw invalidField("expires_at", "errors.time_passed");
  }
  const project_ids = await projectsOf(scope, form);
  const id = await nextId(deps.kv, "runner_tokens");
  const { text, hash } = newRunnerToken("reusable", id);
  const row: RunnerTokenRow = {
    ...form,
    id,
    hash,
    project_id: projectOf(scope),
    project_ids,
    uses: 0,
    created: now.toISOString(),
    last_used: null,
  };
  await transact(deps.kv, async (op) => {
    await insertRunnerToken(deps.kv, op, row);
    const event = runnerEvent(row, "reusable_created");
    await recordChange(op, deps, actor, event, { before: null, after: settingsOfToken(row) });
  });
  return { ...runnerTokenView(row, now), token: text };
}

/** The members of a token that someone set. */
const settingsOfToken = ({ hash: _, uses: __, last_used: ___, ...set }: RunnerTokenRow): object =>
  set;

/** Deletes a reusable token. Runners that it created stay. Throws not found. */
export async function deleteReusableToken(scope: RunnerManager, id: number): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const entry = await findRunnerToken(deps.kv, id);
    if (!entry || !isOwn(scope, entry.value)) throw notFound();
    removeRunnerToken(op.check(entry), id);
    const event = runnerEvent(entry.value, "reusable_deleted");
    await recordChange(op, deps, actor, event, {
      before: settingsOfToken(entry.value),
      after: null,
    });
  });
}
