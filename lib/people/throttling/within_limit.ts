import type { Deps } from "../../access/deps.ts";
import {
  forgiveAttempt,
  FREE_GUESSES,
  type GuessAttempt,
  reserveAttempt,
  TooManyAttempts,
} from "./limiter.ts";
import { memoryPart } from "../../store/memory.ts";
import { inTurn } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { paths } from "../../base/paths.ts";
import { queueNotice } from "../../events/notices.ts";
import { rowKeys } from "../../store/keys.ts";
import { findUserByLogin } from "../users/repository.ts";

/**
 * How many attempts can wait for others of the same counter. Far fewer people sign in at the same
 * time.
 */
const WAITING_MAX = 100;
/**
 * How many waiting attempts are woken after a correct one. The strictest counter then lets in as
 * many.
 */
const WOKEN_AFTER_SUCCESS = 5;

/** Attempts on one counter that this process is checking, and those that wait for them. */
interface Counter {
  inFlight: number;
  waiting: (() => void)[];
}

const counters = memoryPart("attempts under way", () => new Map<string, Counter>());

/**
 * Runs `check`, which throws if the input is wrong. Throws 429 if too many attempts have failed.
 * `check` receives how many count now. An attempt counts as failed while it is being checked, so
 * that guesses sent in parallel are not faster. If only such attempts are in the way, this one
 * waits for them instead of being refused, because they may turn out to be right. Attempts at
 * another server that shares the store are not waited for.
 */
export async function withinLimit<T>(
  deps: Pick<Deps, "kv" | "clock">,
  attempt: GuessAttempt,
  check: (failures: number) => Promise<T>,
): Promise<T> {
  const { failures, counters: counted } = await enter(deps, attempt);
  let isRight = false;
  try {
    const result = await check(failures);
    await forgiveAttempt(deps.kv, attempt);
    isRight = true;
    return result;
  } catch (error) {
    if ("login" in attempt) await noteLocked(deps, attempt.login, failures);
    throw error;
  } finally {
    for (const name of counted) leave(deps.kv, name, isRight);
  }
}

/** Reservations are made one after the other, so that a refused one sees which are in flight. */
async function enter({ kv, clock }: Pick<Deps, "kv" | "clock">, attempt: GuessAttempt) {
  const underWay = counters.of(kv);
  for (;;) {
    try {
      return await inTurn(kv, "attempts", async () => {
        const reserved = await reserveAttempt(kv, clock.now(), attempt);
        for (const name of reserved.counters) {
          const counter = underWay.get(name) ?? { inFlight: 0, waiting: [] };
          underWay.set(name, counter);
          counter.inFlight++;
        }
        return reserved;
      });
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error;
      const counter = underWay.get(error.counter);
      if (!counter || counter.waiting.length >= WAITING_MAX) throw error;
      await new Promise<void>((resolve) => counter.waiting.push(resolve));
    }
  }
}

/** Ends one attempt. The last one in flight wakes all that wait, because no one else would. */
function leave(kv: Store, name: string, isRight: boolean): void {
  const underWay = counters.of(kv);
  const counter = underWay.get(name)!;
  counter.inFlight--;
  if (counter.inFlight === 0) underWay.delete(name);
  const woken = counter.inFlight === 0 ? counter.waiting.length : isRight ? WOKEN_AFTER_SUCCESS : 0;
  for (const wake of counter.waiting.splice(0, woken)) wake();
}

/** Someone who continues to guess causes no further notice within this time. */
const AGAIN_MS = 60 * 60_000;

/** Stores a notice once an account has had so many failed sign-ins that the next ones must wait. */
async function noteLocked(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  login: string,
  failures: number,
): Promise<void> {
  if (failures < FREE_GUESSES) return;
  const user = await findUserByLogin(kv, login);
  if (!user) return;
  const { id, username } = user.value;
  const noted = await kv.get(rowKeys.lockNotice(id));
  if (noted.versionstamp !== null) return;
  const op = kv.atomic().check(noted).set(noted.key, true, { expireIn: AGAIN_MS });
  queueNotice(op, { clock }, {
    event: "account_locked",
    project_id: null,
    template_id: null,
    title: { key: "alerts.title.account_locked", params: { username, count: failures } },
    path: paths.user(id),
  });
  await op.commit();
}
