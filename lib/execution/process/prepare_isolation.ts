import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, isShared } from "../../base/settings/config.ts";
import type { NamedPath } from "../../base/settings/named_paths.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import {
  createTraversableDir,
  type Isolation,
  noIsolation,
  type TaskAccount,
} from "./isolation.ts";
import { CODE } from "./folders.ts";
import { findHiddenPaths } from "./hidden_paths.ts";
import { isWithin } from "./look_at_paths.ts";
import { shell } from "./shell.ts";
import { type CommandEnvironment, tryCommand } from "./try_command.ts";

/** A file that only the server may read, used to test the isolation. */
const PROBE = "isolation.probe";
const SCRIPT = fileURLToPath(new URL("./try_isolation.sh", import.meta.url));
const PREPARE = fileURLToPath(new URL("./hand_over.sh", import.meta.url));

/** `kv` is the path of a file that runs must not see, or an address. */
export type IsolationSettings = Pick<
  Config,
  "dataDir" | "kv" | "namedPaths" | "taskIsolation" | "taskUser"
>;

/**
 * Reads the isolation from the settings, and changes nothing. Throws ConfigError when the account
 * is missing or unsuitable.
 */
export async function readIsolation(config: IsolationSettings): Promise<Isolation> {
  const { taskIsolation: mode, taskUser, namedPaths, dataDir } = config;
  if (mode === "none") return noIsolation;
  const account = mode === "user" ? await findAccount(taskUser) : null;
  return { mode, account, hidden: await findHiddenPaths(namedPaths, dataDir) };
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

/**
 * Restricts the store's files to their owner, because they may lie outside the data folder. Called
 * at the start.
 */
export async function restrictStore(config: Pick<Config, "kv">): Promise<void> {
  // The shell does it, since Deno lets the server reach only the first of these files.
  if (!isShared(config)) await shell(RESTRICT, config.kv);
}

const RESTRICT =
  'for file in "$1" "$1-wal" "$1-shm"; do [ ! -e "$file" ] || chmod 0600 "$file"; done';

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
 * Runs a command in the isolation that tries to reach the server's files and processes, to change
 * what it trusts, and to use its own. Returns a sentence about the first failed check, or null if
 * all is well.
 */
export async function tryIsolation(
  env: CommandEnvironment,
  settings: Pick<IsolationSettings, "kv" | "namedPaths">,
): Promise<string | null> {
  const { isolation, dataDir } = env;
  if (isolation.mode === "none") return null;
  const probe = join(dataDir, PROBE);
  await Deno.writeTextFile(probe, "not for tasks\n", { mode: 0o600 });
  const { stdout } = await shell('exec sh "$@"', SCRIPT, "server");
  const secret = [probe, settings.kv, ...await privateFiles(dataDir)];
  const attempt = await tryCommand(env, [
    ...["sh", SCRIPT, "task", stdout.trim()],
    ...[...secret, ...await secretsOf(isolation, settings)].flatMap((path) => ["secret", path]),
    ...named(settings, "trusted").flatMap((path) => ["trusted", path]),
  ]);
  return attempt.works ? null : refusal(isolation, attempt.complaint);
}

const named = (
  { namedPaths }: Pick<IsolationSettings, "namedPaths">,
  ...kinds: NamedPath["kind"][]
): string[] => namedPaths.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);

/**
 * Returns secret files, sockets and folders that settings name, and some that are in these folders.
 * An account is kept out by modes, which are those of the system for folders that no setting names.
 */
async function secretsOf(
  { mode, hidden }: Isolation,
  settings: Pick<IsolationSettings, "namedPaths">,
): Promise<string[]> {
  const folders = mode === "bwrap"
    ? hidden.folders
    : named(settings, "folder", "project_folder").filter((path) => !path.includes("{project}"));
  const { stdout } = await shell(LIST, ...folders);
  const found = stdout.split("\n").filter((path) =>
    path !== "" && ![CODE, ...hidden.shown].some((shown) => isWithin(path, shown))
  );
  return [...named(settings, "file", "listing"), ...folders, ...found];
}

/** Prints some files and sockets in each folder. */
const LIST = `for folder; do
  find "$folder/" -mindepth 1 -maxdepth 3 \\( -type f -o -type s \\) 2>/dev/null | head -n 20
done`;

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
