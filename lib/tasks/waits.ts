import { askAgain } from "../access/authenticate.ts";
import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { linkedAbort } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { forbidden, notFound, unauthorized } from "../base/errors.ts";
import { createSlots } from "../base/slots.ts";
import type { Store } from "../store/store.ts";

/** Limits the waiting calls of one account. */
const slots = createSlots(100, "errors.too_many_waits");

/** Ends of the servers whose calls wait, by their stores. */
const ends = new WeakMap<Store, AbortController>();

function endOf(kv: Store): AbortController {
  const end = ends.get(kv) ?? new AbortController();
  ends.set(kv, end);
  return end;
}

/** Ends the waits of a server that stops, and each later one. */
export const endWaits = ({ kv }: { kv: Store }): void => endOf(kv).abort();

/**
 * Waits until `follow` yields, `seconds` have passed, the caller is `gone`, or the server stops.
 * Throws 404 or 401 once the caller may not see the project any more, and 429 for too many calls.
 */
export async function waitForEnd(
  scope: ProjectScope,
  { seconds, gone }: { seconds: number; gone: AbortSignal },
  follow: (signal: AbortSignal) => AsyncIterable<unknown>,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  if (actor.kind !== "user") throw forbidden();
  const releaseSlot = slots.take(deps.kv, actor.id);
  const { signal, abort, release } = linkedAbort(gone, endOf(deps.kv).signal);
  const cancel = after(seconds * 1000, abort);
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type !== "access" || ![null, actor.id].includes(message.user_id)) return;
    stillMaySee(scope).then((maySee) => maySee || abort(), abort);
  });
  try {
    for await (const _ of follow(signal)) break;
  } finally {
    unsubscribe();
    cancel();
    abort();
    release();
    releaseSlot();
  }
  const asked = await askAgain(deps, actor, projectId);
  if (!asked) throw unauthorized();
  if (!asked.membership) throw notFound();
}
