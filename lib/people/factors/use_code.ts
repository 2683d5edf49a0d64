import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { transact } from "../../store/transact.ts";
import { withinLimit } from "../throttling/within_limit.ts";
import { findSecondFactor } from "./repository.ts";
import type { SecondFactorRow } from "./schema.ts";
import { openTotp } from "./secret.ts";
import { matchTotp } from "./totp.ts";
import { createHash } from "node:crypto";

type CodeKind = "code" | "recovery_code";

/**
 * Uses up a code of the app or a recovery code. Each counts once. `from` is what the account knows
 * the visitor by. Their guesses are slowed down like guesses at passwords. Throws 401 and 429.
 */
export async function takeCode(
  deps: Pick<Deps, "kv" | "clock" | "secrets">,
  userId: number,
  code: string,
  from: string,
): Promise<CodeKind> {
  const { kv, clock, secrets } = deps;
  return await withinLimit(deps, { codeOf: `${userId} ${from}` }, () =>
    transact(kv, async (op) => {
      const entry = await findSecondFactor(kv, userId);
      if (!entry.value) throw wrongCode();
      const secret = await openTotp(secrets, entry.value.secret);
      const { rest, kind } = usedUp(entry.value, code, secret, clock.now());
      op.check(entry).set(entry.key, rest);
      return kind;
    }));
}

/**
 * Returns the second factor as it is after `code` was used. Throws 401 if the code is not valid.
 */
function usedUp(
  row: SecondFactorRow,
  code: string,
  secret: Uint8Array,
  now: Date,
): { rest: SecondFactorRow; kind: CodeKind } {
  const step = matchTotp(secret, code, now, row.last_step);
  if (step !== null) return { rest: { ...row, last_step: step }, kind: "code" };
  const hash = hashRecoveryCode(code);
  if (!row.recovery.includes(hash)) throw wrongCode();
  const recovery = row.recovery.filter((left) => left !== hash);
  return { rest: { ...row, recovery }, kind: "recovery_code" };
}

export const wrongCode = () =>
  new AppError(401, "errors.code", {}, { fields: { code: { key: "errors.code" } } });

/** How many recovery codes an account has, and their form. */
const CODES = 10;
const GROUPS = 4;
const GROUP_LETTERS = 4;
/** Letters that are not mistaken for others. There are 32, so that all are equally likely. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Returns ten codes of 80 random bits each. They cannot be guessed, so a plain hash is enough. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LETTERS));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.replace(/.{4}(?=.)/g, "$&-");
}

/** Returns the hash that is stored of a code, however the code is typed. */
export const hashRecoveryCode = (code: string): string =>
  createHash("sha256").update(code.toLowerCase().replace(/[^a-z0-9]/g, "")).digest("base64url");
