import type { SecretBox } from "../access/secret_box.ts";
import { ConfigError } from "../base/settings/settings.ts";
import type { KeyRow } from "../resources/keys/schema.ts";
import { readPublicKey } from "../resources/keys/secret.ts";
import type { RepositoryRow } from "../resources/repositories/schema.ts";
import { sealUrl } from "../resources/repositories/sealed_url.ts";
import { indexActivity } from "../events/activity.ts";
import { indexHistory } from "../tasks/history/index_history.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import { recountRuns } from "../tasks/trends/counters.ts";
import { indexLooks } from "../people/users/repository.ts";
import { dateGrants } from "../people/group_rules/words.ts";
import { moveToJobs } from "./jobs_migration.ts";
import { countAgain } from "../store/counted.ts";
import { rowKeys } from "../store/keys.ts";
import { type Course, rewriteRows } from "../store/rows/rewrite_rows.ts";
import type { Store } from "../store/store.ts";
import { nameDirectories } from "../people/identities/move.ts";

/**
 * One change of the rows' schema. It may be interrupted and run again, so it must skip rows that it
 * has already changed. It counts the rows that it processes, and may store its progress.
 */
export type Migration = (kv: Store, course: Course, secrets: SecretBox) => Promise<void>;

/**
 * Adds members to a row. A row that another server changed meanwhile already has the current
 * schema.
 */
const change = <Row>(kv: Store, entry: Deno.KvEntry<Row>, more: Partial<Row>) =>
  kv.atomic().check(entry).set(entry.key, { ...entry.value, ...more }).commit();

/** Seals logins and passwords in the URLs of repositories, which were stored in clear. */
async function sealUrls(kv: Store, _: Course, secrets: SecretBox): Promise<void> {
  for await (const entry of kv.list<RepositoryRow>({ prefix: ["repositories"] })) {
    if (entry.value.url_secret) continue;
    const url = await sealUrl(secrets, entry.value.git_url);
    if (url.url_secret) await change(kv, entry, url);
  }
}

/** Counts the existing tasks of each template, because templates store that number now. */
async function countTasks(kv: Store, course: Course): Promise<void> {
  const counts = new Map<string, { key: Deno.KvKey; count: bigint }>();
  for await (const { key } of kv.list({ prefix: ["tasks_by_template"] }, { batchSize: 1000 })) {
    const [, projectId, templateId] = key as [string, number, number, number];
    const counted = counts.get(`${projectId}/${templateId}`) ??
      { key: rowKeys.taskCount(projectId, templateId), count: 0n };
    counted.count++;
    course.count(1);
    counts.set(`${projectId}/${templateId}`, counted);
  }
  for (const { key, count } of counts.values()) await kv.set(key, new Deno.KvU64(count));
}

/** Adds the public half to keys that were stored with only the private half. */
async function addPublicKeys(kv: Store, _: Course, secrets: SecretBox): Promise<void> {
  for await (const entry of kv.list<KeyRow>({ prefix: ["keys"] })) {
    if (entry.value.type !== "ssh" || entry.value.public_key) continue;
    const public_key = await readPublicKey(secrets, entry.value);
    if (public_key) await change(kv, entry, { public_key });
  }
}

/** Counts the entries of existing lists of tasks, because lists store that number now. */
async function countIndexed(kv: Store, course: Course): Promise<void> {
  for (const prefix of rowKeys.listsOfTasks()) await countAgain(kv, prefix, course);
}

/**
 * Deletes the fences of logs that have ended. After this step, the store has rows in the form of
 * store/rows/short_rows.ts, which earlier versions cannot read.
 */
async function dropFences(kv: Store, course: Course): Promise<void> {
  const open = new Set<unknown>((await listOpenTasks(kv)).map(({ id }) => id));
  const rows = { prefix: ["task_log_fences"], perCommit: 500 };
  await rewriteRows(kv, rows, course, (op, { key }) => {
    if (!open.has(key[1])) op.delete(key);
  });
}

/** Migrations in the order they were added. None is ever removed or reordered. */
const MIGRATIONS: readonly Migration[] = [
  sealUrls,
  countTasks,
  indexHistory,
  // Repeated to index older tasks by what started them, too.
  indexHistory,
  indexActivity,
  addPublicKeys,
  countIndexed,
  recountRuns,
  // Repeated to index events by the account that they are about.
  indexActivity,
  nameDirectories,
  dateGrants,
  indexLooks,
  // Repeated to index events by their objects, and those of the server.
  indexActivity,
  dropFences,
  moveToJobs,
];

/** Progress of an upgrade, updated in place while it runs. */
export interface UpgradeProgress {
  /** Percentage of the store that is copied; null when the copy is done, or there is none. */
  copied: number | null;
  /** Number of the current step, from 1 on, and number of all steps. */
  step: number;
  steps: number;
  name: string;
  /** Rows that this step has processed since this start. */
  rows: number;
}

/** Position where an interrupted upgrade continues: after a row, in the step with that number. */
interface UpgradeRow {
  step: number;
  after: Deno.KvKey;
}

interface Watched {
  progress?: UpgradeProgress;
  /** Ends the upgrade between two commits, with the signal's reason. */
  stop?: AbortSignal;
}

/** The store was written by a later version. */
export class LaterStoreError extends ConfigError {
  /**
   * @param version The latest version of a store that this program reads.
   * @param writer The version of Callboard that wrote the store, if it is known.
   */
  constructor(
    readonly version: number,
    readonly writer: string | null = null,
    advice = "restore a backup",
  ) {
    const named = writer === null ? "" : ` (${writer})`;
    super(
      `This data was written by a later version of Callboard${named}. Start that version, or ` +
        `${advice}.`,
    );
  }
}

/** Version of a store, and number of steps that bring it to the current version. */
interface Pending {
  version: number;
  steps: number;
}

/** Returns no steps for a new store. Throws as `migrate` does. */
export async function pendingSteps(kv: Store, migrations = MIGRATIONS): Promise<Pending> {
  const [{ value }, { value: writer }] = await kv.getMany<[number, string]>([
    rowKeys.storeVersion(),
    rowKeys.storeWriter(),
  ]);
  return stepsFrom(value, writer, migrations);
}

/** Returns the steps for a store with this version row; null stands for a new store. */
export function stepsFrom(
  stored: number | null,
  writer: string | null = null,
  migrations = MIGRATIONS,
): Pending {
  const version = stored ?? migrations.length; // A new store has the current schema.
  if (version > migrations.length) throw new LaterStoreError(migrations.length, writer);
  return { version, steps: migrations.length - version };
}

/**
 * Upgrades the store of an earlier version to the current schema, before anything else reads it.
 * Throws LaterStoreError for a store that a later version has written, because reading it could
 * destroy it.
 */
export async function migrate(
  kv: Store,
  secrets: SecretBox,
  migrations: readonly Migration[] = MIGRATIONS,
  watched: Watched = {},
): Promise<void> {
  const { version: first } = await pendingSteps(kv, migrations);
  if (first === migrations.length) return await finish(kv, first);
  for (let n = first; n < migrations.length; n++) {
    Object.assign(watched.progress ?? {}, {
      step: n - first + 1,
      name: migrations[n].name,
      rows: 0,
    });
    // A repeated migration is done once, at its last position.
    if (migrations.lastIndexOf(migrations[n]) === n) {
      await migrations[n](kv, await courseOf(kv, n, watched), secrets);
    }
    if (n + 1 === migrations.length) await finish(kv, n + 1);
    else {
      await kv.atomic().set(rowKeys.storeVersion(), n + 1).delete(rowKeys.storeUpgrade()).commit();
    }
  }
}

/** Stores that no upgrade is under way, so that the next one copies the store again. */
async function finish(kv: Store, version: number): Promise<void> {
  await kv.atomic().set(rowKeys.storeVersion(), version).delete(rowKeys.storeUpgrade())
    .delete(rowKeys.storeCopied()).commit();
}

async function courseOf(
  kv: Store,
  step: number,
  { progress, stop }: Watched,
): Promise<Course> {
  const { value } = await kv.get<UpgradeRow>(rowKeys.storeUpgrade());
  return {
    after: value?.step === step ? value.after : null,
    reach: (op, after) => op.set(rowKeys.storeUpgrade(), { step, after } satisfies UpgradeRow),
    count(rows) {
      stop?.throwIfAborted();
      if (progress) progress.rows += rows;
    },
  };
}
