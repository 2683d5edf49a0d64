import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, isShared } from "../../base/config.ts";
import { ConfigError } from "../../base/settings.ts";
import {
  createTraversableDir,
  type Isolation,
  noIsolation,
  type TaskAccount,
} from "./isolation.ts";
import { shell } from "./shell.ts";
import { type CommandEnvironment, tryCommand } from "./try_command.ts";

/** A file that only the server may read, used to test the isolation. */
const PROBE = "isolation.probe";
const SCRIPT = fileURLToPath(new URL("./try_isolation.sh", import.meta.url));
const PREPARE = fileURLToPath(new URL("./hand_over.sh", import.meta.url));

/** `kv` is the path of a file that runs must not see, or an address. */
export type IsolationSettings = Pick<
  Config,
  "dataDir" | "kv" | "backupFolder" | "taskIsolation" | "taskUser"
>;

/**
 * Reads the isolation from the settings, and changes nothing. Throws ConfigError when the account
 * is missing or unsuitable.
 */
export async function readIsolation(config: IsolationSettings): Promise<Isolation> {
  const hidden = await storeElsewhere(config);
  switch (config.taskIsolation) {
    case "none":
      return noIsolation;
    case "user":
      return { ...noIsolation, mode: "user", account: await findAccount(config.taskUser) };
    case "bwrap":
      return { ...noIsolation, mode: "bwrap", hidden, hiddenFolder: config.backupFolder };
  }
}

async function findAccount(name: string): Promise<TaskAccount> {
  const ids = await shell('id -u -- "$1" && id -g -- "$1" && id -u', name);
  const [uid, gid, own] = ids.stdout.trim().split("\n").map(Number);
  if (!ids.success || gid === undefined) {
    throw new ConfigError(`The account in CALLBOARD_TASK_USER does not exist: ${name}`);
  }
  if (uid === 0 || uid === own) {
    throw new ConfigError(
      `CALLBOARD_TASK_USER must not be root or the server's own account, but is "${name}"`,
    );
  }
  return { name, uid: uid!, gid };
}

/** Returns the existing files of the store that lie outside the data folder. */
async function storeElsewhere(config: IsolationSettings): Promise<string[]> {
  if (isShared(config)) return [];
  const data = await Deno.realPath(config.dataDir);
  const { stdout } = await eachStoreFile(config, 'realpath "$file"');
  return stdout.split("\n").filter((file) => file !== "" && !file.startsWith(`${data}/`));
}

/**
 * Restricts the store's files to their owner, because they may lie outside the data folder. Called
 * at the start.
 */
export async function restrictStore(config: Pick<Config, "kv">): Promise<void> {
  if (!isShared(config)) await eachStoreFile(config, 'chmod 0600 "$file"');
}

/** The shell does it, since Deno lets the server reach only the first of these files. */
const eachStoreFile = ({ kv }: Pick<Config, "kv">, command: string) =>
  shell(`for file in "$1" "$1-wal" "$1-shm"; do [ ! -e "$file" ] || ${command}; done`, kv);

/**
 * Sets the permissions of the data folder so that runs reach their parts of it, including those
 * that runs of another account have left. Called at the start, while nothing runs.
 */
export async function prepareFolders(dataDir: string, isolation: Isolation): Promise<void> {
  const { account } = isolation;
  // A mount may have fixed modes.
  if (!account) return void await Deno.chmod(dataDir, 0o700).catch(() => {});
  await createTraversableDir(isolation, dataDir);
  const { success, stderr } = await shell(
    'exec sh "$@"',
    PREPARE,
    dataDir,
    String(account.uid),
    String(account.gid),
  );
  if (!success) throw new ConfigError(refusal(isolation, stderr.trim().split("\n").at(-1)!));
}

/**
 * Runs a command in the isolation that tries to reach the server's files and processes, and to use
 * its own. Returns a sentence about the first failed check, or null if all is well.
 */
export async function tryIsolation(env: CommandEnvironment, kv: string): Promise<string | null> {
  const { isolation, dataDir } = env;
  if (isolation.mode === "none") return null;
  const probe = join(dataDir, PROBE);
  await Deno.writeTextFile(probe, "not for tasks\n", { mode: 0o600 });
  const { stdout } = await shell('exec sh "$@"', SCRIPT, "server");
  const secret = [probe, kv, ...await privateFiles(dataDir)];
  const attempt = await tryCommand(env, ["sh", SCRIPT, "task", stdout.trim(), ...secret]);
  return attempt.works ? null : refusal(isolation, attempt.complaint);
}

/** Throws ConfigError when no command runs in the isolation, so that nothing else is blamed. */
export async function requireIsolation(env: CommandEnvironment): Promise<void> {
  if (env.isolation.mode === "none") return;
  const { works, complaint } = await tryCommand(env, ["true"]);
  if (!works) throw new ConfigError(refusal(env.isolation, complaint));
}

async function privateFiles(dataDir: string): Promise<string[]> {
  const key = join(dataDir, "secret.key");
  return await Deno.stat(key).then(() => [key], () => []);
}

const refusal = ({ mode }: Isolation, why: string) =>
  `CALLBOARD_TASK_ISOLATION=${mode} does not work here: ${why}`;
