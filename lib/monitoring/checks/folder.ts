import { dirname } from "node:path";
import { diskSpace, tryDisk } from "../../base/machine/disk_space.ts";
import { storeSize } from "./disk.ts";
import { isShared } from "../../base/settings/config.ts";
import { explain } from "../../base/machine/data_folder.ts";
import { shellWithin } from "../../execution/process/shell.ts";
import type { RunsCheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

const LIMIT_MS = 5_000;
/** Below this, tasks and the store soon fail. */
const FREE_BYTES_MIN = 100_000_000;
/** Room for checkouts and collections. */
const FREE_BYTES_GOOD = 1_000_000_000;
/** The group's execute bit lets the account of tasks pass through the folder. */
const MODE_OF_OTHERS = 0o067;

export async function checkFolder({ config }: RunsCheckUp): Promise<Finding[]> {
  const { dataDir: folder, kv } = config;
  const info = await Deno.stat(folder).catch((error) => error);
  if (info instanceof Deno.errors.NotFound) return [await checkParent(folder)];
  if (!("uid" in info)) return [failed(folder, explain(info))];
  if (!info.isDirectory) return [failed(folder, "it is a file")];
  const wrong = await findOtherOwner(isShared(config) ? [folder] : [folder, kv, `${kv}-wal`]);
  if (wrong) return [problem("failed", "doctor.folder.owner", wrong)];
  const why = await tryDisk(folder).catch(explain);
  if (why) return [failed(folder, why)];
  if ((info.mode & MODE_OF_OTHERS) !== 0) {
    return [problem("warning", "doctor.folder.open", { folder })];
  }
  return [fine("doctor.folder.works", { folder })];
}

const failed = (folder: string, why: string) =>
  problem("failed", "doctor.folder.unusable", { folder, why });

/** A start creates the folder if it can. */
async function checkParent(folder: string): Promise<Finding> {
  const parent = dirname(folder);
  const { success } = await shellWithin(LIMIT_MS, '[ -d "$1" ] && [ -w "$1" ]', parent);
  return success
    ? fine("doctor.folder.new", { folder })
    : problem("failed", "doctor.folder.no_parent", { folder, parent });
}

/** Returns the first path that belongs to another account, with both names; null if none does. */
async function findOtherOwner(paths: string[]) {
  for (const path of paths) {
    const uid = await Deno.stat(path).then(({ uid }) => uid, () => null);
    if (uid === null || uid === Deno.uid()) continue;
    return { path, owner: await nameOf(uid), account: await nameOf(Deno.uid()!) };
  }
  return null;
}

async function nameOf(uid: number): Promise<string> {
  const { stdout } = await shellWithin(LIMIT_MS, 'id -un -- "$1" 2>/dev/null', String(uid));
  return stdout.trim() || String(uid);
}

export async function checkSpace({ config }: RunsCheckUp): Promise<Finding[]> {
  const { dataDir, kv } = config;
  const folder = await Deno.stat(dataDir).then(() => dataDir, () => dirname(dataDir));
  const { free } = await diskSpace(folder);
  const store = isShared(config) ? 0 : await storeSize(kv).catch(() => 0);
  const params = { megabytes: Math.floor(free / 1_000_000), folder };
  if (free < FREE_BYTES_MIN) return [problem("failed", "doctor.space.none", params)];
  if (free < FREE_BYTES_GOOD || free < store) {
    return [problem("warning", "doctor.space.little", params)];
  }
  return [fine("doctor.space.enough", params)];
}
