import type { Deps } from "../../access/deps.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { referredSecret } from "../../execution/sources/reference.ts";
import type { SecretSource } from "../secret_storages/schema.ts";
import { planStorage } from "../secret_storages/source.ts";
import type { KeyRow } from "./schema.ts";

/** Names of a key's texts where they are stored, the usual one first. */
const NAMES = {
  login: ["login", "username", "user"],
  password: ["password"],
  string: ["value", "string", "token", "password"],
  private_key: ["private_key", "ssh_private_key", "key"],
  passphrase: ["passphrase"],
  certificate: ["certificate", "signed_key"],
};

/** Returns a key whose secrets are read when a run starts. */
export async function referredKey(
  deps: Deps,
  { project_id, name, type, certificate }: KeyRow,
  source: SecretSource,
): Promise<PlanKey> {
  const storage = await planStorage(deps, project_id, source);
  const { path, field } = source;
  const main = (names: string[], isFile = false) =>
    referredSecret({ storage, path, names: field ? [field] : names, isFile });
  const beside = (names: string[]) => referredSecret({ storage, path, names, optional: true });
  switch (type) {
    case "none":
      return { type };
    case "login_password":
      return {
        type,
        login: "",
        password: main(NAMES.password),
        plain: { login: beside(NAMES.login) },
      };
    case "string":
      return { type: "login_password", login: "", password: main(NAMES.string) };
    case "ssh":
      return {
        type,
        name,
        login: "",
        ...certificate && { certificate },
        privateKey: main(NAMES.private_key, true),
        passphrase: beside(NAMES.passphrase),
        plain: { login: beside(NAMES.login), certificate: beside(NAMES.certificate) },
      };
  }
}
