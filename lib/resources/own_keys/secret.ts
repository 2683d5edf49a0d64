import type { SecretBox } from "../../access/secret_box.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { openSecret } from "../keys/secret.ts";
import type { OwnKeyRow } from "./schema.ts";

/** A person's key with its secrets. Only for what that person has started. */
export async function openOwnKey(box: SecretBox, row: OwnKeyRow): Promise<PlanKey> {
  const key = await openSecret(box, row);
  return key.type === "ssh" ? { ...key, login: row.login } : key;
}
