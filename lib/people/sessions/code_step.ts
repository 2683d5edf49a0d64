import { claimedUserId, hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import type { CodeStepRow } from "./schema.ts";

const STEP_MS = 10 * 60_000;
/** How many codes can be tried before the sign-in has to start again. */
const TRIES_MAX = 5;

type StepDeps = Pick<Deps, "kv" | "clock">;

/**
 * Stores for ten minutes what the first step of a sign-in has proved. Returns the token to continue
 * with, for the cookie of this browser.
 */
export async function beginCodeStep(
  { kv, clock }: StepDeps,
  proved: CodeStepRow["proved"],
): Promise<string> {
  const { text, hash } = newBearerToken(proved.userId);
  const until = new Date(clock.now().getTime() + STEP_MS).toISOString();
  const row: CodeStepRow = { proved, tries: 0, until };
  await kv.set(rowKeys.codeStep(hash), row, { expireIn: STEP_MS });
  return text;
}

/** Whether a cookie's text is from a sign-in that waits for its code. */
export async function isCodeStep(
  { kv, clock }: PublicDeps,
  text: string | undefined,
): Promise<boolean> {
  if (!text || claimedUserId(text) === null) return false;
  const { value } = await kv.get<CodeStepRow>(rowKeys.codeStep(hashToken(text)));
  return value !== null && isOpen(value, clock.now());
}

/** Returns what was proved before, and counts one try. Throws 401 if the step is over. */
export async function takeTry(
  { kv, clock }: StepDeps,
  text: string | undefined,
): Promise<CodeStepRow["proved"]> {
  if (!text || claimedUserId(text) === null) throw stepOver();
  return await transact(kv, async (op) => {
    const entry = await kv.get<CodeStepRow>(rowKeys.codeStep(hashToken(text)));
    if (!entry.value || !isOpen(entry.value, clock.now())) throw stepOver();
    const row = { ...entry.value, tries: entry.value.tries + 1 };
    op.check(entry).set(entry.key, row, { expireIn: STEP_MS });
    return row.proved;
  });
}

/** Ends the code step of a sign-in that has succeeded. */
export const endCodeStep = (kv: Store, text: string): Promise<void> =>
  kv.delete(rowKeys.codeStep(hashToken(text)));

const isOpen = ({ until, tries }: CodeStepRow, now: Date) =>
  now.getTime() < Date.parse(until) && tries < TRIES_MAX;

const stepOver = () => new AppError(401, "errors.code_step_over");
