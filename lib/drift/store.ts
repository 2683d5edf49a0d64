import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import { nameRank } from "../hosts/rows.ts";
import { transact } from "../store/transact.ts";
import type { Atomic, Store } from "../store/store.ts";
import { FULL } from "../store/rows/write_all.ts";
import type { TemplateHead } from "../model/template_row.ts";
import {
  BEGUN_MAX,
  countDiffering,
  driftPosition,
  type DriftSummary,
  newSummary,
  type ResolvedRow,
  shownState,
} from "./rows.ts";
import type { DriftRow } from "../model/drift_row.ts";
import type { ShownState } from "./state.ts";
import { findProjectEntry } from "../model/projects.ts";

/** Added to a 64-bit sum to subtract one. */
const minus = (count: bigint) => 2n ** 64n - count;

/** States of a template in one commit. */
export interface DriftCommit {
  template: TemplateHead;
  /** The summary as it is stored at the end. */
  summary: DriftSummary;
  /** Stores a state instead of `before`; null deletes it. */
  put(before: DriftRow | null, after: DriftRow | null): void;
  /** Adds the summary and the counts to the commit. */
  store(): Promise<void>;
}

/**
 * Opens the states of a template for the commit of `op`, which fails if another one changes any of
 * them meanwhile, or if the template is deleted. Returns null for a template that does not exist.
 */
export async function openDrift(
  kv: Store,
  op: Atomic,
  projectId: number,
  templateId: number,
): Promise<DriftCommit | null> {
  const [template, stored] = await kv.getMany<[TemplateHead, DriftSummary]>([
    rowKeys.resource("templates", projectId, templateId),
    rowKeys.driftSummary(projectId, templateId),
  ]);
  if (template.value === null) return null;
  // The summary stands for all states, because a commit can check only ten rows.
  op.check(template, stored);
  const summary = structuredClone(stored.value ?? newSummary());
  const sums = new Map<ShownState, number>();
  const resolved = new Set<number>();
  const count = (state: ShownState, by: number) => {
    sums.set(state, (sums.get(state) ?? 0) + by);
    summary.counts[state] += by;
  };

  function move(before: DriftRow | null, after: DriftRow | null) {
    const [from, to] = [before, after].map((row) => row && driftPosition(row));
    const { host } = (before ?? after)!;
    if (from?.join("\0") !== to?.join("\0")) {
      for (const template of [0, templateId]) {
        if (from) op.delete([...rowKeys.driftBy(projectId, template), ...from]);
        if (to) op.set([...rowKeys.driftBy(projectId, template), ...to], true);
      }
    }
    const ofHost = [...rowKeys.driftOfHost(projectId, nameRank(host), host), templateId];
    if (!before) op.set(ofHost, true);
    if (!after) op.delete(ofHost);
  }

  return {
    template: template.value,
    summary,
    put(before, after) {
      const key = rowKeys.drift(projectId, templateId, (before ?? after)!.host);
      if (after) op.set(key, after);
      else op.delete(key);
      move(before, after);
      if (before) count(shownState(before), -1);
      if (after) count(shownState(after), 1);
      countBegun(summary, before, -1);
      countBegun(summary, after, 1);
      // In this order, so that no Ansible task is left out between the two.
      countDiffering(summary, after, 1);
      countDiffering(summary, before, -1);
      if (before && isResolved(before, after, summary)) resolved.add(before.host_id);
    },
    async store() {
      op.set(stored.key, summary).set(rowKeys.driftStamp(projectId), crypto.randomUUID());
      for (const [state, by] of sums) {
        const sum = BigInt(by);
        if (by !== 0) op.sum(rowKeys.driftCount(projectId, state), by < 0 ? minus(-sum) : sum);
      }
      if (resolved.size > 0) await addResolved(kv, op, projectId, templateId, summary, resolved);
    },
  };
}

/** Whether something else than a check ends a difference that the latest check has found. */
const isResolved = (before: DriftRow, after: DriftRow | null, { task_id }: DriftSummary) =>
  before.state === "would_change" && before.check_id === task_id &&
  (after === null || after.check_id === before.check_id && after.state !== "would_change");

/** Counts the hosts that still differ by the task in which they began to. */
function countBegun(summary: DriftSummary, row: DriftRow | null, by: number): void {
  const { begun, begun_after = 0 } = summary;
  if (!row || shownState(row) !== "would_change" || row.since_task <= begun_after) return;
  const found = begun[row.since_task] ?? { at: row.since, count: 0 };
  found.count += by;
  found.at = Math.min(found.at, row.since);
  if (found.count > 0) begun[row.since_task] = found;
  else delete begun[row.since_task];
  const tasks = Object.keys(begun).map(Number);
  if (tasks.length <= BEGUN_MAX) return;
  summary.begun_after = Math.min(...tasks);
  delete begun[summary.begun_after];
}

async function addResolved(
  kv: Store,
  op: Atomic,
  projectId: number,
  templateId: number,
  { task_id }: DriftSummary,
  hosts: Set<number>,
): Promise<void> {
  const entry = await kv.get<ResolvedRow>(rowKeys.driftResolved(projectId, templateId));
  const before = entry.value?.task_id === task_id ? entry.value.bits : new Uint8Array();
  const bits = new Uint8Array(Math.max(before.length, (Math.max(...hosts) >> 3) + 1));
  bits.set(before);
  for (const host of hosts) bits[host >> 3] |= 1 << (host & 7);
  op.set(entry.key, { task_id, bits } satisfies ResolvedRow);
}

/** Returns the states of hosts for a template; null for those without one. */
export const readDriftRows = async (
  kv: Store,
  projectId: number,
  templateId: number,
  hosts: string[],
): Promise<(DriftRow | null)[]> => {
  const keys = hosts.map((host) => rowKeys.drift(projectId, templateId, host));
  return (await getAll<DriftRow>(kv, keys)).map(({ value }) => value);
};

/** Returns the checks of a template; null if it was never checked. */
export const findDriftSummary = async (
  kv: Store,
  projectId: number,
  templateId: number,
): Promise<DriftSummary | null> =>
  (await kv.get<DriftSummary>(rowKeys.driftSummary(projectId, templateId))).value;

/** Number of states that are read for a commit. It deletes as many of them as it has room for. */
const DELETED_PER_COMMIT = 100;

/** Deletes the states of a deleted template. No new ones are stored by then. */
export async function deleteDrift(
  kv: Store,
  projectId: number,
  templateId: number,
): Promise<void> {
  while (await deleteSome(kv, projectId, templateId) > 0);
  await transact(kv, async (op) => {
    const project = await findProjectEntry(kv, projectId);
    op.delete(rowKeys.driftSummary(projectId, templateId))
      .delete(rowKeys.driftResolved(projectId, templateId));
    // Nothing of a project that is being deleted may be written any more.
    if (!project.value || project.value.deleting) return;
    op.check(project).set(rowKeys.driftStamp(projectId), crypto.randomUUID());
  });
}

/** Deletes some states in one commit. Returns their number. */
const deleteSome = (kv: Store, projectId: number, templateId: number): Promise<number> =>
  transact(kv, async (op) => {
    // Another server may delete the same rows.
    const guard = await kv.get(rowKeys.driftSummary(projectId, templateId));
    const selector = { prefix: rowKeys.driftOf(projectId, templateId) };
    const found = await Array.fromAsync(kv.list<DriftRow>(selector, { limit: DELETED_PER_COMMIT }));
    if (found.length === 0) return 0;
    op.check(guard).set(guard.key, newSummary());
    const counts = new Map<ShownState, bigint>();
    let deleted = 0;
    for (const { key, value: row } of found) {
      if (op.used > FULL) break;
      for (const template of [0, templateId]) {
        op.delete([...rowKeys.driftBy(projectId, template), ...driftPosition(row)]);
      }
      op.delete([
        ...rowKeys.driftOfHost(projectId, nameRank(row.host), row.host),
        templateId,
      ]).delete(key);
      counts.set(shownState(row), (counts.get(shownState(row)) ?? 0n) + 1n);
      deleted++;
    }
    for (const [state, count] of counts) {
      op.sum(rowKeys.driftCount(projectId, state), minus(count));
    }
    return deleted;
  });
