import type { Deps } from "../access/deps.ts";
import { fitRow } from "../store/rows/fit_row.ts";
import { rowKeys } from "../store/keys.ts";
import { putJob } from "../jobs/put.ts";
import type { Job } from "../jobs/worker.ts";
import { transact } from "../store/transact.ts";
import type { Atomic } from "../store/store.ts";
import { liveProject } from "./live_project.ts";
import type { HeldAlert, HeldGroup } from "./more_messages.ts";
import { type DigestDue, digestJobs, putAlert } from "./outbox.ts";
import type { RuleRow } from "./rules/schema.ts";
import { projectIdOf } from "./scope.ts";

/** Alerts that a rule holds back. Equal ones are counted together. */
interface DigestRow {
  /** Time at which it is sent. */
  until: string;
  /** Number of alerts. */
  total: number;
  groups: HeldGroup[];
}

/** Maximum number of different alerts in a digest. Others are counted only. */
const GROUPS_MAX = 20;

/** A row of the outbox contains these alerts while they are sent. */
const DIGEST_BYTES_MAX = 48 * 1024;

/** Adds an alert to the digest of a rule, which is sent at `until`, or earlier if it says so. */
export async function holdBack(
  deps: Pick<Deps, "kv" | "clock">,
  op: Atomic,
  place: number,
  { rule_id, until }: { rule_id: number; until: string },
  { title, url, at }: HeldAlert,
): Promise<void> {
  const entry = await deps.kv.get<DigestRow>(rowKeys.alertDigest(place, rule_id));
  const isEarlier = !entry.value || until < entry.value.until;
  const due = { project_id: projectIdOf(place), place, rule_id };
  if (isEarlier) putJob(op, deps, digestJobs, due, new Date(until));
  const groups = entry.value?.groups ?? [];
  const group = groups.find((group) => group.title === title);
  const added: HeldGroup = { title, url, last: at, count: 1 };
  const next = group
    ? groups.map((one) => one === group ? { ...one, url, last: at, count: one.count + 1 } : one)
    : [...groups, added].slice(0, GROUPS_MAX);
  const total = (entry.value?.total ?? 0) + 1;
  const row: DigestRow = {
    until: isEarlier ? until : entry.value!.until,
    total,
    groups: next,
  };
  op.check(entry).set(entry.key, fitRow(row, DIGEST_BYTES_MAX));
}

/** Sends what a rule has held back as one message, to the target that the rule has now. */
export const sendDigest = (
  deps: Pick<Deps, "kv" | "clock">,
  job: Job<DigestDue>,
): Promise<void> =>
  // Others may add to it.
  transact(deps.kv, async (op) => {
    const { project_id, place, rule_id } = job.input;
    await job.end(op);
    const [digest, { value: rule }] = await deps.kv.getMany<[DigestRow, RuleRow]>([
      rowKeys.alertDigest(place, rule_id),
      rowKeys.alertRule(place, rule_id),
    ]);
    const isGone = await liveProject(deps.kv, op, project_id) === undefined;
    if (digest.value && rule && !isGone) {
      const { total, groups } = digest.value;
      const about = { held: { total, groups }, rule_id };
      const { target_id } = rule;
      putAlert(op, deps, { kind: "routed", project_id, about, place, target_id });
    }
    if (digest.value) op.check(digest).delete(digest.key);
  });
