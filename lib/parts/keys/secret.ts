import type { SecretBox } from "../../access/secret_box.ts";
import type { Secret } from "../../execution/run/plan.ts";
import type { KeyForm, KeyRow } from "./schema.ts";

/** Seals what a key's form holds; null for a key without a secret. */
export function sealSecret(box: SecretBox, form: KeyForm): Promise<Uint8Array | null> {
  const secret = secretOf(form);
  return secret.type === "none" ? Promise.resolve(null) : box.seal(JSON.stringify(secret));
}

/** The secret of a key, in clear: for running tasks and checking webhooks only. */
export async function openSecret(box: SecretBox, row: KeyRow): Promise<Secret> {
  return row.secret ? JSON.parse(await box.open(row.secret)) : { type: "none" };
}

function secretOf({ type, login_password, ssh }: KeyForm): Secret {
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
        // ssh refuses a key without its last newline, which pasting often loses.
        privateKey: (ssh?.private_key ?? "").replaceAll("\r\n", "\n").trim() + "\n",
      };
    case "none":
      return { type };
  }
}
