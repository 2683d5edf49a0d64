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
import { nameDirectories } from "../people/identities/move.ts";

/**
 * One change of the rows' shape. It may be cut off and run again: it must leave alone what it has
 * already changed.
 */
export type Migration = (kv: Deno.Kv, secrets: SecretBox) => Promise<void>;

/** Adds to a row. One that another server has changed meanwhile has today's shape already. */
const change = <Row>(kv: Deno.Kv, entry: Deno.KvEntry<Row>, more: Partial<Row>) =>
  kv.atomic().check(entry).set(entry.key, { ...entry.value, ...more }).commit();

/** Seals logins and passwords in the URLs of repositories: they were stored as they were typed. */
async function sealUrls(kv: Deno.Kv, secrets: SecretBox): Promise<void> {
  for await (const entry of kv.list<RepositoryRow>({ prefix: ["repositories"] })) {
    if (entry.value.url_secret) continue;
    const url = await sealUrl(secrets, entry.value.git_url);
    if (url.url_secret) await change(kv, entry, url);
  }
}

/** Templates count their tasks: those that were started before are those that there are. */
async function countTasks(kv: Deno.Kv): Promise<void> {
  const counts = new Map<string, { key: Deno.KvKey; count: bigint }>();
  for await (const { key } of kv.list({ prefix: ["tasks_by_template"] }, { batchSize: 1000 })) {
    const [, projectId, templateId] = key as [string, number, number, number];
    const counted = counts.get(`${projectId}/${templateId}`) ??
      { key: rowKeys.taskCount(projectId, templateId), count: 0n };
    counted.count++;
    counts.set(`${projectId}/${templateId}`, counted);
  }
  for (const { key, count } of counts.values()) await kv.set(key, new Deno.KvU64(count));
}

/** Keys tell their public half: those that were stored before had only the private one. */
async function addPublicKeys(kv: Deno.Kv, secrets: SecretBox): Promise<void> {
  for await (const entry of kv.list<KeyRow>({ prefix: ["keys"] })) {
    if (entry.value.type !== "ssh" || entry.value.public_key) continue;
    const public_key = await readPublicKey(secrets, entry.value);
    if (public_key) await change(kv, entry, { public_key });
  }
}

/** Lists of tasks know how many they have: those that were there before are counted. */
async function countIndexed(kv: Deno.Kv): Promise<void> {
  for (const prefix of rowKeys.listsOfTasks()) await countAgain(kv, prefix);
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

/**
 * Brings a store of an earlier version to today's shape, before anything else reads it. Throws
 * ConfigError for a store that a later version has written: reading it could destroy it.
 */
export async function migrate(
  kv: Deno.Kv,
  secrets: SecretBox,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { value } = await kv.get<number>(rowKeys.storeVersion());
  const done = value ?? migrations.length; // A new store has today's shape.
  if (done > migrations.length) {
    throw new ConfigError(
      "This data was written by a later version of Callboard. Start that version, or restore a backup.",
    );
  }
  if (value === null) await kv.set(rowKeys.storeVersion(), done);
  for (let n = done; n < migrations.length; n++) {
    await migrations[n](kv, secrets);
    await kv.set(rowKeys.storeVersion(), n + 1);
  }
}
