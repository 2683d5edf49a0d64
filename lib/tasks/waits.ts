import { askAgain } from "../access/authenticate.ts";
import type { ProjectScope } from "../access/scope.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import { linkedAbort } from "../base/time/abort.ts";
import { after } from "../base/time/after.ts";
import { AppError, forbidden, notFound, unauthorized } from "../base/errors.ts";
import { createSlots } from "../store/limiters/slots.ts";
import { stopSignal } from "../store/server_end.ts";

/** Waiting calls. */
const slots = createSlots("waits");
const OF_ACCOUNT_MAX = 100;
const tooMany = () => new AppError(429, "errors.too_many_waits", { max: OF_ACCOUNT_MAX });

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
  const releaseSlot = slots.take(deps.kv, [{
    of: `${actor.id}`,
    max: OF_ACCOUNT_MAX,
    full: tooMany,
  }]);
  const { signal, abort, release } = linkedAbort(gone, stopSignal(deps));
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
