import type { SecretBox } from "../../access/secret_box.ts";
import { AppError } from "../../base/errors.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { openSecret } from "../keys/secret.ts";
import { isPlainLogin, type OwnKeyRow } from "./schema.ts";

/**
 * A person's key with its secrets. Only for what that person has started. Throws 400 for a login
 * that an earlier version accepted.
 */
export async function openOwnKey(box: SecretBox, row: OwnKeyRow): Promise<PlanKey> {
  if (!isPlainLogin(row.login)) throw new AppError(400, "errors.own_keys.login");
  const key = await openSecret(box, row);
  return key.type === "ssh" ? { ...key, login: row.login } : key;
}
