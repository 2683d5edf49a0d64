import { AppError } from "../../base/errors.ts";
import { networkOf } from "../../base/network.ts";
import { rowKeys, type SignInSource } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";

/**
 * How many failures cost nothing, and how soon one is forgotten. Addresses have more, because an
 * office shares one.
 */
const RULES: Record<SignInSource, { free: number; forgottenMs: number }> = {
  account: { free: 5, forgottenMs: 5 * 60_000 },
  device: { free: 5, forgottenMs: 5 * 60_000 },
  address: { free: 20, forgottenMs: 60_000 },
  code: { free: 5, forgottenMs: 5 * 60_000 },
  challenge: { free: 60, forgottenMs: 2_000 },
};
/** Wrong passwords of an account after which the next attempt must wait. */
export const FREE_GUESSES = RULES.account.free;
const WAIT_MAX_MS = 5 * 60_000;
/** Allowed difference between the clocks of servers that share a store. */
const SKEW_MS_MAX = 5_000;

/** An attempt that may be a guess, at a password or at the code after it. */
export type GuessAttempt = PasswordAttempt | CodeAttempt;
type Attempt = GuessAttempt | ChallengeAttempt;

/** A request for a challenge, which stores a row, or with a link that is not valid. */
interface ChallengeAttempt {
  /** The visitor's network. */
  challengesOf: string;
}

interface CodeAttempt {
  /** The account, with what it knows the visitor by. */
  codeOf: string;
}

interface PasswordAttempt {
  login: string;
  address: string;
  /** The visitor's known browser or network, see known_devices.ts; null for a stranger. */
  known: KnownDevice | null;
}

/** A browser or network that someone has signed in to the account from before. */
export interface KnownDevice {
  kind: "browser" | "network";
  /** Id of the account and the device together. */
  id: string;
}

/** Error 429 of a counter, which is named by the text of its key. */
export class TooManyAttempts extends AppError {
  constructor(seconds: number, readonly counter: string) {
    super(429, "errors.too_many_sign_ins", { seconds }, {
      headers: { "Retry-After": String(seconds) },
    });
  }
}

/** Stored row of failed sign-ins, of an account or an address. */
interface FailureRow {
  /** Count at the time `last`. It decreases with time, in fractions. */
  count: number;
  last: string;
}

/** An attempt that was counted. */
interface Reserved {
  /** How many failures count now, including this attempt. */
  failures: number;
  /** Names of the counters that have counted it. */
  counters: string[];
}

/**
 * Counts an attempt as failed before it is made, so that parallel attempts do not all pass. Throws
 * TooManyAttempts; such an attempt does not count.
 */
export async function reserveAttempt(kv: Store, now: Date, attempt: Attempt): Promise<Reserved> {
  return await transact(kv, async (op) => {
    const counters = countersOf(attempt);
    let most = 0;
    for (const [source, key] of counters) {
      const entry = await kv.get<FailureRow>(key);
      const before = remembered(source, entry.value, now);
      const waitMs = entry.value ? waitAfter(source, before, entry.value.last, now) : 0;
      if (waitMs > 0) throw new TooManyAttempts(Math.ceil(waitMs / 1000), nameOf(key));
      op.check(entry);
      keep(op, source, key, { count: before + 1, last: now.toISOString() });
      if (source !== "address") most = Math.ceil(before + 1);
    }
    return { failures: most, counters: counters.map(([, key]) => nameOf(key)) };
  });
}

/** Removes what `reserveAttempt` counted, because the attempt was right. */
export async function forgiveAttempt(kv: Store, attempt: GuessAttempt): Promise<void> {
  await transact(kv, async (op) => {
    for (const [source, key] of countersOf(attempt)) {
      const entry = await kv.get<FailureRow>(key);
      // One correct password must not erase guesses at other accounts from the same address.
      const count = source === "address" ? (entry.value?.count ?? 1) - 1 : 0;
      op.check(entry);
      if (entry.value === null || count <= 0) op.delete(key);
      else keep(op, source, key, { ...entry.value, count });
    }
  });
}

/** Stores a row until no one waits for it and its failures are forgotten. */
function keep(op: Atomic, source: SignInSource, key: Deno.KvKey, row: FailureRow) {
  op.set(key, row, { expireIn: Math.ceil(row.count * RULES[source].forgottenMs) + WAIT_MAX_MS });
}

/** Deletes the failures of an account, for the operator who has just set its password. */
export async function forgiveAccount(kv: Store, logins: string[]): Promise<void> {
  for (const login of logins) await kv.delete(accountKey(login));
}

const accountKey = (login: string) => rowKeys.signInFailures("account", login.toLowerCase());

/**
 * Returns the counters of an attempt. Strangers to an account share its counter, wherever they are,
 * so that many addresses do not guess more than one. A visitor whom the account knows has a
 * separate counter and is not locked out by strangers. A browser proves itself, so failures of
 * others at its address do not matter, either.
 */
function countersOf(attempt: Attempt): [SignInSource, Deno.KvKey][] {
  if ("codeOf" in attempt) return [["code", rowKeys.signInFailures("code", attempt.codeOf)]];
  if ("challengesOf" in attempt) {
    return [["challenge", rowKeys.signInFailures("challenge", attempt.challengesOf)]];
  }
  const { login, address, known } = attempt;
  const ofAddress: [SignInSource, Deno.KvKey] = [
    "address",
    rowKeys.signInFailures("address", networkOf(address)),
  ];
  if (!known) return [["account", accountKey(login)], ofAddress];
  const own: [SignInSource, Deno.KvKey] = ["device", rowKeys.signInFailures("device", known.id)];
  return known.kind === "browser" ? [own] : [own, ofAddress];
}

/** Returns the failures that still count. They are forgotten continuously, in fractions. */
function remembered(source: SignInSource, row: FailureRow | null, now: Date): number {
  if (!row) return 0;
  const passedMs = Math.max(0, now.getTime() - Date.parse(row.last));
  return Math.max(0, row.count - passedMs / RULES[source].forgottenMs);
}

/** Returns the wait in milliseconds. Each failure past the free ones doubles it. */
function waitAfter(source: SignInSource, count: number, last: string, now: Date): number {
  const beyond = Math.ceil(count) - RULES[source].free;
  const aheadMs = Date.parse(last) - now.getTime();
  // The clock was set back for an unknown reason. The next failure counts from now.
  if (beyond < 0 || aheadMs > SKEW_MS_MAX) return 0;
  return Math.min(1000 * 2 ** beyond, WAIT_MAX_MS) + aheadMs;
}

const nameOf = (key: Deno.KvKey): string => JSON.stringify(key);
