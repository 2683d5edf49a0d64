import type { SecretBox } from "../../access/secret_box.ts";
import { conceal, reveal } from "../../base/secret.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { newPrivateKey, publicKeyOf } from "./key_pair.ts";
import type { KeyForm, KeyRow } from "./schema.ts";

type Sealed = Pick<KeyRow, "secret" | "public_key">;

/** Members with secrets. Personal keys have no texts. */
type SecretForm = Pick<KeyForm, "type" | "ssh" | "login_password"> & { string?: string };

/** Converts a key's form to stored members: the sealed secret, and the public half of a pair. */
export async function sealKey(
  box: SecretBox,
  form: SecretForm & Pick<KeyForm, "generate">,
  name: string,
): Promise<Sealed> {
  const secret = secretOf(form);
  const comment = commentOf(name);
  if (form.generate && secret.type === "ssh") {
    Object.assign(secret, { privateKey: newPrivateKey(comment), passphrase: "" });
  }
  if (secret.type === "none") return { secret: null };
  const publicKey = secret.type === "ssh" ? publicKeyOf(secret.privateKey) : null;
  return {
    secret: await box.seal(JSON.stringify(secret)),
    ...publicKey && { public_key: `${publicKey} ${comment}` },
  };
}

/** Spaces are valid in a comment, but some readers of it assume that they end it. */
const commentOf = (name: string) => name.replaceAll(/\s/g, "-");

/** A key with its secrets. Only for running tasks and checking webhooks. */
export async function openSecret(
  box: SecretBox,
  row: Pick<KeyRow, "secret" | "name" | "certificate">,
): Promise<PlanKey> {
  if (!row.secret) return { type: "none" };
  const key = JSON.parse(reveal(await box.open(row.secret), "parse")) as PlanKey<string>;
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
        name: row.name,
        ...row.certificate && { certificate: row.certificate },
      };
  }
}

/** Pasted keys often lose their last line feed, or get carriage returns. ssh rejects both. */
const withLineEnd = (key: string) => key.replaceAll("\r\n", "\n").trim() + "\n";

function secretOf({ type, login_password, ssh, string = "" }: SecretForm): PlanKey<string> {
  switch (type) {
    case "login_password":
      return {
        type,
        login: login_password?.login ?? "",
        password: login_password?.password ?? "",
      };
    case "string":
      return { type: "login_password", login: "", password: string };
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
