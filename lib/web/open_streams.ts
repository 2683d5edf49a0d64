import { whenAborted } from "../base/abort.ts";
import { AppError } from "../base/errors.ts";
import { merge } from "../base/merge.ts";
import { eventStream } from "./event_stream.ts";
import { type State, userScope } from "./state.ts";

/** Event streams of one account at once: each page that is open has one, and clients follow tasks. */
const OPEN_MAX = 250;

/** How many an account has open, by the account's id. */
const opened = new WeakMap<Deno.Kv, Map<number, number>>();

/** The event stream of who is signed in. Throws 429 where they have too many: each costs memory. */
export function openStream(
  state: State,
  asked: Headers,
  begin: (gone: AbortSignal) => AsyncGenerator<string>,
): Response {
  const giveBack = takePlace(userScope(state));
  return eventStream(asked, (gone) => {
    // It may be gone before it was begun, and then it has no end of its own.
    whenAborted(gone, giveBack);
    return merge([begin(gone)], { atEnd: giveBack });
  });
}

function takePlace({ deps: { kv }, actor: { id } }: ReturnType<typeof userScope>): () => void {
  const counts = opened.get(kv) ?? new Map<number, number>();
  opened.set(kv, counts);
  const count = counts.get(id) ?? 0;
  if (count >= OPEN_MAX) throw new AppError(429, "errors.too_many_streams", { max: OPEN_MAX });
  counts.set(id, count + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const left = counts.get(id)! - 1;
    if (left > 0) counts.set(id, left);
    else counts.delete(id);
  };
}
