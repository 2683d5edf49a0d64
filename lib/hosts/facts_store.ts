import type { FullResult } from "../execution/run/full_result.ts";
import type { Job } from "../jobs/worker.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import { packed, unpackedList, unpackedValues } from "../store/rows/packed_json.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { HostRow } from "../results/rows.ts";
import { type FactChange, factChanges } from "./flat_facts.ts";
import { byteLength } from "../base/fields.ts";

/** The facts of a host as the latest task gathered them. */
interface FactsRow {
  task: number;
  /** Milliseconds since the epoch. */
  at: number;
  packed: Uint8Array;
}

/** Changes since the facts of the task before. */
interface FactChangesRow {
  since: number;
  packed: Uint8Array;
}

/** KV takes 64 KiB a value. */
const ROW_BYTES = 60 * 1024;

interface Gathered {
  projectId: number;
  taskId: number;
  /** Hosts of the task. */
  hosts: HostRow[];
  job: Job<object>;
}

/** Gathered facts of a host, in their rows. */
interface Parts {
  host: number;
  keys: Deno.KvKey[];
  facts: FullResult[];
}

/** Stores the gathered facts of a task with its hosts. The next attempt goes on with the rest. */
export async function rememberFacts(kv: Store, gathered: Gathered): Promise<void> {
  const { taskId, hosts, job } = gathered;
  const byId = new Map(hosts.map((host) => [host.id, host]));
  for await (const parts of gatheredParts(kv, taskId)) {
    job.signal.throwIfAborted();
    await handOn(kv, gathered, byId.get(parts.host), parts);
  }
}

/** Yields one host at a time, whose rows are adjacent. */
async function* gatheredParts(kv: Store, taskId: number): AsyncGenerator<Parts> {
  const prefix = rowKeys.taskResultRow(taskId, "facts");
  let parts: Parts | null = null;
  for await (const { key, value } of kv.list<Uint8Array>({ prefix }, { batchSize: 10 })) {
    const host = key.at(-2) as number;
    if (parts && parts.host !== host) yield parts;
    if (!parts || parts.host !== host) parts = { host, keys: [], facts: [] };
    parts.keys.push(key);
    parts.facts.push(...unpackedValues<FullResult>(value));
  }
  if (parts) yield parts;
}

const handOn = (
  kv: Store,
  { projectId, taskId, job }: Gathered,
  host: HostRow | undefined,
  { keys, facts }: Parts,
): Promise<void> =>
  transact(kv, async (op) => {
    await job.hold(op);
    for (const key of keys) op.delete(key);
    // A host that was deleted meanwhile gets no facts.
    if (!host) return;
    const row = await kv.get(rowKeys.projectHost(projectId, host.name));
    if (row.value === null) return;
    const before = await kv.get<FactsRow>(rowKeys.hostFacts(projectId, host.name));
    if ((before.value?.task ?? 0) > taskId) return;
    const merged = fitFacts(mergeFacts(facts), (some) => packed([some]).length <= ROW_BYTES);
    const value = packed([merged]);
    op.check(row).check(before);
    op.set(before.key, { task: taskId, at: host.ended, packed: value } satisfies FactsRow);
    if (!before.value) return;
    const old = unpackedValues<FullResult>(before.value.packed)[0]?.value ?? {};
    const changes: FactChangesRow = {
      since: before.value.task,
      packed: packed(factChanges(old, merged.value)),
    };
    op.set(rowKeys.hostFactChanges(projectId, host.name), changes);
  });

/** Merges the parts in which a play gathered the facts of a host. The last part wins. */
function mergeFacts(parts: FullResult[]): FullResult {
  const value = Object.assign({}, ...parts.map((part) => part.value)) as FullResult["value"];
  const last = (name: unknown) => parts.findLast((part) => Object.hasOwn(part.value, String(name)));
  const shortened = parts.flatMap((part) =>
    part.shortened.filter(({ path: [name] }) => last(name) === part)
  );
  return { value, shortened };
}

/** Adds the deletion of a host's facts to `op`. */
export function forgetFacts(op: Atomic, projectId: number, name: string): void {
  op.delete(rowKeys.hostFacts(projectId, name)).delete(rowKeys.hostFactChanges(projectId, name));
}

interface StoredFacts {
  row: FactsRow | null;
  facts: FullResult;
  since: number | null;
  changes: FactChange[];
}

/** Returns the facts of a host; empty if no task has gathered any. */
export async function readFacts(
  kv: Store,
  projectId: number,
  name: string,
): Promise<StoredFacts> {
  const [{ value: row }, { value: changes }] = await kv.getMany<[FactsRow, FactChangesRow]>([
    rowKeys.hostFacts(projectId, name),
    rowKeys.hostFactChanges(projectId, name),
  ]);
  const [facts] = row ? unpackedValues<FullResult>(row.packed) : [];
  return {
    row,
    facts: facts ?? { value: {}, shortened: [] },
    since: changes?.since ?? null,
    changes: changes ? unpackedList<FactChange>(changes.packed) : [],
  };
}

/** Number of characters that are left of a text. Nothing is left of a list or an object. */
const TEXT_MAX = 200;

/**
 * Shortens the largest facts until all of them fit. `shortened` has the length of each. If there
 * are too many, some are left out, and it has their number.
 */
function fitFacts(facts: FullResult, fits: (facts: FullResult) => boolean): FullResult {
  const value = { ...facts.value };
  const shortened = [...facts.shortened];
  const largest = Object.entries(value)
    .map(([name, its]) => ({ name, bytes: byteLength(JSON.stringify(its)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const names = largest.filter(({ bytes }) => bytes > TEXT_MAX).map(({ name }) => name);
  // Looking whether they fit takes long, so each turn shortens more of them.
  for (let [done, next] = [0, 1]; done < names.length && !fits({ value, shortened }); next++) {
    for (const name of names.slice(done, done += next)) {
      const fact = value[name];
      const text = typeof fact === "string" ? fact : JSON.stringify(fact);
      value[name] = typeof fact === "string" ? fact.slice(0, TEXT_MAX).toWellFormed() : "";
      if (!shortened.some(({ path }) => path.length === 1 && path[0] === name)) {
        shortened.push({ path: [name], length: text.length });
      }
    }
  }
  let some: FullResult = { value, shortened };
  for (let count = largest.length; count > 0 && !fits(some);) {
    count = Math.floor(count / 2);
    some = {
      value: Object.fromEntries(Object.entries(value).slice(0, count)),
      shortened: [{ path: [], length: largest.length }],
    };
  }
  return some;
}
