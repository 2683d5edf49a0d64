import { join } from "node:path";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { printed, succeeds } from "../../scripts/command.ts";
import { ROOT } from "../package/application.ts";

/** Keys that may sign releases, in the form of `ssh-keygen`. */
const SIGNERS = join(ROOT, "packaging/allowed_signers");

/** The name of all signers, which those who check a signature state. */
const IDENTITY = "callboard";

/** Returns `key` if `packaging/allowed_signers` lists it. A public key means one of the agent. */
export async function requireKey(key: string): Promise<string> {
  const publicKey = await Deno.readTextFile(key.replace(/(\.pub)?$/, ".pub")).catch(() => null);
  const [type, body] = publicKey?.trim().split(/\s+/) ?? [];
  if (!body) throw new ConfigError(`${key} is no SSH key with a public key beside it.`);
  const listed = await Deno.readTextFile(SIGNERS).catch(() => "");
  if (!listed.includes(` ${type} ${body}`)) {
    throw new ConfigError(
      "packaging/allowed_signers does not list the key. To permit it, add this line and commit " +
        `it:\n${IDENTITY} namespaces="file" ${type} ${body}`,
    );
  }
  return key;
}

/** Writes the signature of a file beside it, and checks it. Asks for the key's passphrase. */
export async function sign(file: string, key: string): Promise<void> {
  const signed = await succeeds(["ssh-keygen", "-Y", "sign", "-q", "-f", key, "-n", "file", file]);
  if (!signed) throw new ConfigError("The checksums were not signed.");
  const verify = ["-Y", "verify", "-f", SIGNERS, "-I", IDENTITY, "-n", "file"];
  const command = `ssh-keygen "$@" <"$0"`;
  if (await printed(["sh", "-c", command, file, ...verify, "-s", `${file}.sig`]) === null) {
    throw new ConfigError("packaging/allowed_signers does not permit the signature.");
  }
}
