import type { SecretBox } from "../../access/secret_box.ts";
import { conceal, reveal } from "../../base/secret.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import type { KeyForm, KeyRow } from "./schema.ts";

/** Seals what a key's form holds; null for a key without a secret. */
export function sealSecret(box: SecretBox, form: KeyForm): Promise<Uint8Array | null> {
  const secret = secretOf(form);
  return secret.type === "none" ? Promise.resolve(null) : box.seal(JSON.stringify(secret));
}

/** A key with its secrets: for running tasks and checking webhooks only. */
export async function openSecret(box: SecretBox, row: KeyRow): Promise<PlanKey> {
  if (!row.secret) return { type: "none" };
  const key = JSON.parse(reveal(await box.open(row.secret))) as PlanKey<string>;
  switch (key.type) {
    case "none":
      return key;
    case "login_password":
      return { ...key, password: conceal(key.password) };
    case "ssh":
      return {
        ...key,
        passphrase: conceal(key.passphrase),
        privateKey: conceal(withLineEnd(key.privateKey)),
      };
  }
}

/** Keys pasted into a form often lose their last line end, or get returns: ssh refuses both. */
const withLineEnd = (key: string) => key.replaceAll("\r\n", "\n").trim() + "\n";

function secretOf({ type, login_password, ssh }: KeyForm): PlanKey<string> {
  switch (type) {
    case "login_password":
      return {
        type,
        login: login_password?.login ?? "",
        password: login_password?.password ?? "",
      };
    case "ssh":
      return {
        type,
        login: ssh?.login ?? "",
        passphrase: ssh?.passphrase ?? "",
        privateKey: withLineEnd(ssh?.private_key ?? ""),
      };
    case "none":
      return { type };
  }
}
