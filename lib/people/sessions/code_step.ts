import { claimedUserId, hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../kv/keys.ts";
import { transact } from "../../kv/transact.ts";
import type { CodeStepRow } from "./schema.ts";

const STEP_MS = 10 * 60_000;
/** Codes that may be tried before the password is asked for again. */
const TRIES_MAX = 5;

/** What was proved before the code. */
type Before = Pick<CodeStepRow, "way" | "encoded" | "fresh"> & { userId: number };

/** Keeps for ten minutes that the first half of a sign-in is done. Its token is one browser's cookie. */
export async function beginCodeStep(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { userId, way, encoded, fresh = null }: Omit<Before, "fresh"> & { fresh?: string | null },
): Promise<string> {
  const { text, hash } = newBearerToken(userId);
  const row: CodeStepRow = {
    user_id: userId,
    way,
    encoded,
    fresh,
    tries: 0,
    until: new Date(clock.now().getTime() + STEP_MS).toISOString(),
  };
  await kv.set(rowKeys.codeStep(hash), row, { expireIn: STEP_MS });
  return text;
}

/** Whether a cookie's text is of a sign-in that waits for its code. */
export async function isCodeStep(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  text: string | undefined,
): Promise<boolean> {
  if (!text || claimedUserId(text) === null) return false;
  const { value } = await kv.get<CodeStepRow>(rowKeys.codeStep(hashToken(text)));
  return value !== null && isOpen(value, clock.now());
}

/** The sign-in that waits, with one try less. Throws 401 when it is over. */
export async function takeTry(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  text: string | undefined,
): Promise<Before> {
  if (!text || claimedUserId(text) === null) throw stepOver();
  return await transact(kv, async (op) => {
    const entry = await kv.get<CodeStepRow>(rowKeys.codeStep(hashToken(text)));
    if (!entry.value || !isOpen(entry.value, clock.now())) throw stepOver();
    op.check(entry).set(entry.key, { ...entry.value, tries: entry.value.tries + 1 }, {
      expireIn: STEP_MS,
    });
    const { user_id: userId, way, encoded, fresh } = entry.value;
    return { userId, way, encoded, fresh };
  });
}

/** Ends a sign-in's wait: what it led to is there, or given up. */
export const endCodeStep = (kv: Deno.Kv, text: string): Promise<void> =>
  kv.delete(rowKeys.codeStep(hashToken(text)));

const isOpen = ({ until, tries }: CodeStepRow, now: Date) =>
  now.getTime() < Date.parse(until) && tries < TRIES_MAX;

/** The way begins anew, at the password. */
const stepOver = () => new AppError(401, "errors.code_step_over");
