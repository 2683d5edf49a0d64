import type { SecretBox } from "../access/secret_box.ts";
import { ConfigError } from "../base/settings.ts";
import type { KeyRow } from "../parts/keys/schema.ts";
import { readPublicKey } from "../parts/keys/secret.ts";
import type { RepositoryRow } from "../parts/repositories/schema.ts";
import { sealUrl } from "../parts/repositories/sealed_url.ts";
import { indexActivity } from "../events/activity.ts";
import { indexHistory } from "../tasks/index_history.ts";
import { recountRuns } from "../tasks/trends/counters.ts";
import { indexLooks } from "../people/users/repository.ts";
import { dateGrants } from "../people/group_rules/date_grants.ts";
import { countAgain } from "../kv/counted.ts";
import { rowKeys } from "../kv/keys.ts";
import type { Course } from "../kv/rewrite_rows.ts";
import { nameDirectories } from "../people/identities/move.ts";

/**
 * One change of the rows' shape. It may be cut off and run again: it must leave alone what it has
 * already changed. It counts the rows that it takes, and may remember how far it has come.
 */
export type Migration = (kv: Deno.Kv, course: Course, secrets: SecretBox) => Promise<void>;

/** Adds to a row. One that another server has changed meanwhile has today's shape already. */
const change = <Row>(kv: Deno.Kv, entry: Deno.KvEntry<Row>, more: Partial<Row>) =>
  kv.atomic().check(entry).set(entry.key, { ...entry.value, ...more }).commit();

/** Seals logins and passwords in the URLs of repositories: they were stored as they were typed. */
async function sealUrls(kv: Deno.Kv, _: Course, secrets: SecretBox): Promise<void> {
  for await (const entry of kv.list<RepositoryRow>({ prefix: ["repositories"] })) {
    if (entry.value.url_secret) continue;
    const url = await sealUrl(secrets, entry.value.git_url);
    if (url.url_secret) await change(kv, entry, url);
  }
}

/** Templates count their tasks: those that were started before are those that there are. */
async function countTasks(kv: Deno.Kv, course: Course): Promise<void> {
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

/** Keys tell their public half: those that were stored before had only the private one. */
async function addPublicKeys(kv: Deno.Kv, _: Course, secrets: SecretBox): Promise<void> {
  for await (const entry of kv.list<KeyRow>({ prefix: ["keys"] })) {
    if (entry.value.type !== "ssh" || entry.value.public_key) continue;
    const public_key = await readPublicKey(secrets, entry.value);
    if (public_key) await change(kv, entry, { public_key });
  }
}

/** Lists of tasks know how many they have: those that were there before are counted. */
async function countIndexed(kv: Deno.Kv, course: Course): Promise<void> {
  for (const prefix of rowKeys.listsOfTasks()) await countAgain(kv, prefix, course);
}

/** In the order they were added; never removed, never reordered. */
const MIGRATIONS: readonly Migration[] = [
  sealUrls,
  countTasks,
  indexHistory,
  // Once more: tasks of before are found by what started them, too.
  indexHistory,
  indexActivity,
  addPublicKeys,
  countIndexed,
  recountRuns,
  // Once more: what happened to an account is found by it.
  indexActivity,
  nameDirectories,
  dateGrants,
  indexLooks,
];

/** How far an upgrade is; what runs it goes on writing into one of these. */
export interface UpgradeProgress {
  /** The step that runs, from 1 on, and how many there are. */
  step: number;
  steps: number;
  name: string;
  /** Rows that this step has taken since this start. */
  rows: number;
}

/** Where an upgrade that was cut off goes on: behind a row, in the step with that number. */
interface UpgradeRow {
  step: number;
  after: Deno.KvKey;
}

interface Watched {
  progress?: UpgradeProgress;
  /** Ends the upgrade between two commits, with its reason. */
  stop?: AbortSignal;
}

/** How many steps bring the store to today's shape; 0 for a new one. Throws as `migrate` does. */
export async function pendingSteps(kv: Deno.Kv, migrations = MIGRATIONS): Promise<number> {
  const { value } = await kv.get<number>(rowKeys.storeVersion());
  const done = value ?? migrations.length; // A new store has today's shape.
  if (done > migrations.length) {
    throw new ConfigError(
      "This data was written by a later version of Callboard. Start that version, or restore a backup.",
    );
  }
  return migrations.length - done;
}

/**
 * Brings a store of an earlier version to today's shape, before anything else reads it. Throws
 * ConfigError for a store that a later version has written: reading it could destroy it.
 */
export async function migrate(
  kv: Deno.Kv,
  secrets: SecretBox,
  migrations: readonly Migration[] = MIGRATIONS,
  watched: Watched = {},
): Promise<void> {
  const first = migrations.length - await pendingSteps(kv, migrations);
  if (first === migrations.length) return void await kv.set(rowKeys.storeVersion(), first);
  for (let n = first; n < migrations.length; n++) {
    Object.assign(watched.progress ?? {}, {
      step: n - first + 1,
      name: migrations[n].name,
      rows: 0,
    });
    // What comes once more is done once, at its last place.
    if (migrations.lastIndexOf(migrations[n]) === n) {
      await migrations[n](kv, await courseOf(kv, n, watched), secrets);
    }
    await kv.atomic().set(rowKeys.storeVersion(), n + 1).delete(rowKeys.storeUpgrade()).commit();
  }
}

async function courseOf(
  kv: Deno.Kv,
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
