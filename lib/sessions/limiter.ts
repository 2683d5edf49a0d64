import { AppError } from "../errors.ts";
import { keys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import type { FailureRow } from "./schema.ts";

/** How many failures cost nothing, and how soon one is forgotten: an office shares an address. */
const RULES = {
  account: { free: 5, forgottenMs: 5 * 60_000 },
  address: { free: 20, forgottenMs: 60_000 },
};
const WAIT_MAX_MS = 5 * 60_000;
/** By then every failure is forgotten. */
const ROW_MS = 4 * 60 * 60_000;

/** Whose guesses are counted. */
export interface Attempt {
  login: string;
  address: string;
}

type Source = keyof typeof RULES;

/**
 * Counts an attempt as failed before it is made, so that many at once do not all pass.
 * Throws 429 when there were too many; such an attempt does not count.
 */
export async function reserveAttempt(kv: Deno.Kv, now: Date, attempt: Attempt): Promise<void> {
  await transact(kv, async (op) => {
    for (const [source, key] of keysOf(attempt)) {
      const entry = await kv.get<FailureRow>(key);
      const count = remembered(source, entry.value, now);
      const waitMs = entry.value ? waitAfter(source, count, entry.value.last, now) : 0;
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
      const row: FailureRow = { count: count + 1, last: now.toISOString() };
      op.check(entry).set(key, row, { expireIn: ROW_MS });
    }
  });
}

/** Takes back what reserveAttempt counted: the password was right. */
export async function forgiveAttempt(kv: Deno.Kv, attempt: Attempt): Promise<void> {
  await transact(kv, async (op) => {
    for (const [source, key] of keysOf(attempt)) {
      const entry = await kv.get<FailureRow>(key);
      // One good password must not wipe out the guesses at other accounts from the same address.
      const count = source === "account" ? 0 : (entry.value?.count ?? 1) - 1;
      op.check(entry);
      if (entry.value === null || count <= 0) op.delete(key);
      else op.set(key, { ...entry.value, count }, { expireIn: ROW_MS });
    }
  });
}

/** Forgets the failures of an account, for the operator who has just set its password. */
export async function forgiveAccount(kv: Deno.Kv, logins: string[]): Promise<void> {
  for (const login of logins) await kv.delete(accountKey(login));
}

const accountKey = (login: string) => keys.signInFailures("account", login.toLowerCase());

const keysOf = ({ login, address }: Attempt): [Source, Deno.KvKey][] => [
  ["account", accountKey(login)],
  ["address", keys.signInFailures("address", networkOf(address))],
];

/** The failures that still count: some fraction of one is forgotten all the time. */
function remembered(source: Source, row: FailureRow | null, now: Date): number {
  if (!row) return 0;
  const passedMs = now.getTime() - Date.parse(row.last);
  return Math.max(0, row.count - passedMs / RULES[source].forgottenMs);
}

/** Each failure past the free ones doubles the wait. */
function waitAfter(source: Source, count: number, last: string, now: Date): number {
  const beyond = Math.ceil(count) - RULES[source].free;
  if (beyond < 0) return 0;
  return Date.parse(last) + Math.min(1000 * 2 ** beyond, WAIT_MAX_MS) - now.getTime();
}

const tooMany = (seconds: number) =>
  new AppError(429, "errors.too_many_sign_ins", { seconds }, {
    headers: { "Retry-After": String(seconds) },
  });

/** What one visitor holds: an IPv4 address, but the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(":")) return address;
  const [left, right] = address.toLowerCase().split("%")[0].split("::");
  const parts = left === "" ? [] : left.split(":");
  const tail = right ? right.split(":") : [];
  while (right !== undefined && parts.length + tail.length < 8) parts.push("0");
  return [...parts, ...tail].slice(0, 4).join(":");
}
