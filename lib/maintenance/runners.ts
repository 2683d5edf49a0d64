import { type Expected, requireVersion } from "../base/version.ts";
import { recordEvent } from "../events/record.ts";
import { transact } from "../kv/transact.ts";
import { runnerEvent } from "../runners/events.ts";
import { putRunner, removeRunner } from "../runners/repository.ts";
import { getOwnEntry, type RunnerManager } from "../runners/service.ts";
import { changeableOf } from "../runners/views.ts";

/**
 * Deletes a runner. Throws not found, and 412 if the stored runner is not `expected`.
 */
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
    recordEvent(op, deps, actor, runnerEvent(entry.value, "deleted"));
  });
  deps.wakeDispatcher();
}

/** Ends all tokens of a runner immediately. It must be registered again. */
export async function revokeRunner(scope: RunnerManager, id: number): Promise<void> {
  const { deps, actor } = scope;
  await transact(deps.kv, async (op) => {
    const entry = await getOwnEntry(scope, id);
    const ended = { token_hash: null, next_token_hash: null, registration: null };
    putRunner(op.check(entry), { ...entry.value, ...ended });
    recordEvent(op, deps, actor, runnerEvent(entry.value, "revoked"));
  });
  deps.wakeDispatcher();
}
