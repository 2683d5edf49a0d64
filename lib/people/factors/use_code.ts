import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { transact } from "../../kv/transact.ts";
import { withinLimit } from "../sessions/within_limit.ts";
import { hashRecoveryCode } from "./recovery_codes.ts";
import { findSecondFactor } from "./repository.ts";
import type { SecondFactorRow } from "./schema.ts";
import { openTotp } from "./secret.ts";
import { matchTotp } from "./totp.ts";

/** Which of an account's codes it was. */
type CodeKind = "code" | "recovery_code";

/**
 * Takes a code of the app, or a recovery code: each counts once. `from` is what the account knows the
 * visitor by, whose guesses are slowed down as those at passwords are. Throws 401 and 429.
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

/** What is left of a second factor when `code` was used. Throws 401 when it does not count. */
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
