import { ConfigError } from "../../base/settings/settings.ts";

/**
 * Contents of a backup of the whole server. It is a tar archive, compressed and encrypted with a
 * passphrase in the format of age: `age --decrypt FILE | tar -xz` opens it without Callboard. The
 * rest of the data folder (working copies, Ansible itself) is created again when it is needed.
 */
export const DATABASE = "callboard.kv";
export const SECRET_KEY = "secret.key";
/** Contained while the key is being changed, because some secrets still need it. */
export const PREVIOUS_KEY = "secret.key.previous";
/** The first entry: which store the backup is of, and what wrote it when. */
export const MANIFEST = "backup.json";

/** Contents of the manifest. */
export interface Manifest {
  /** Id of the store. */
  store: string;
  /** When the store was made, and the backup. */
  made: string;
  at: string;
  /** Version of Callboard. */
  version: string;
  /** Number of rows of the database by kind, which a test counts again. */
  rows: Record<string, number>;
}

/** Known host keys, and the demo's repository, which templates refer to by its path. */
export const FOLDERS = ["known_hosts", "demo.git"] as const;

/** Whether an archive's entry may be written. Prevents entries outside the target folder. */
export function isOurs(name: string): boolean {
  const [first, ...rest] = name.split("/");
  if (rest.some((part) => part === "" || part === "." || part === "..")) return false;
  if (rest.length === 0) return [MANIFEST, DATABASE, SECRET_KEY, PREVIOUS_KEY].includes(first);
  return (FOLDERS as readonly string[]).includes(first);
}

/**
 * Returns the path of the database file. Throws if the database is a service, which has its own
 * backups.
 */
export function databaseFile(kv: string): string {
  if (/^https?:/.test(kv)) {
    throw new ConfigError(
      `CALLBOARD_KV is the address of a service. Back it up and restore it with its own tools`,
    );
  }
  return kv;
}
