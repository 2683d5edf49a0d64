import { ConfigError } from "../../base/settings.ts";

/**
 * What a backup of the whole server holds, as a tar archive, compressed and encrypted with a
 * passphrase in the format of age: `age --decrypt FILE | tar -xz` opens it without Callboard.
 * The rest of the data folder (working copies, Ansible itself) is made again when it is needed.
 */
export const DATABASE = "callboard.kv";
export const SECRET_KEY = "secret.key";
/** Host keys that were seen, and the demo's repository, which templates name by its path. */
export const FOLDERS = ["known_hosts", "demo.git"] as const;

/** Whether an archive's entry may be written: nothing leaves the folder it is unpacked into. */
export function isOurs(name: string): boolean {
  const [first, ...rest] = name.split("/");
  if (rest.some((part) => part === "" || part === "." || part === "..")) return false;
  if (rest.length === 0) return first === DATABASE || first === SECRET_KEY;
  return (FOLDERS as readonly string[]).includes(first);
}

/** The database's file. Throws when it is a service, which has backups of its own. */
export function databaseFile(kv: string): string {
  if (/^https?:/.test(kv)) {
    throw new ConfigError(
      `CALLBOARD_KV is the address of a service: back it up, and restore it, by its own means`,
    );
  }
  return kv;
}
