import { createPause } from "../base/time/pause.ts";
import type { TaskPair } from "../results/match_tasks.ts";
import { type HostRow, resultId, statusOfCode } from "../results/rows.ts";
import { isFailure, isHandledFailure } from "../results/statuses.ts";
import type { ComparedEnd, HostGroup, OutcomeDifference } from "./schema.ts";

/** Returns the status code of an Ansible task on a host; 0 if there is no result. */
type CodeOf = (task: number, host: number) => number;
type Both<T> = readonly [run: T, base: T];

/** Limits of the hosts and differences listed for a group. Further ones are counted. */
const HOSTS_NAMED = 8;
const DIFFERENCES_MAX = 10;

/**
 * Returns the hosts of both tasks on which Ansible tasks ended differently. Hosts with the same
 * differences form a group, and the worst group comes first.
 */
export async function differentHosts(
  hosts: Both<HostRow>[],
  tasks: TaskPair[],
  codes: Both<CodeOf>,
): Promise<HostGroup[]> {
  const pause = createPause();
  const groups = new Map<string, HostGroup>();
  for (const pair of hosts) {
    if (pause.isDue()) await pause.take();
    const differences = tasks.flatMap((task, n) => differencesOf(task, n, pair, codes));
    if (differences.length === 0) continue;
    const key = differences.map(({ n, ends }) => [n, ...ends.map(({ code }) => code)]).join();
    let group = groups.get(key);
    if (!group) groups.set(key, group = groupOf(differences, tasks, pair));
    const [{ name, id: run }, { id: base }] = pair;
    if (group.hosts.length < HOSTS_NAMED) group.hosts.push({ name, run, base });
    else group.more++;
  }
  return [...groups.values()].sort((a, b) => a.rank - b.rank || sizeOf(b) - sizeOf(a));
}

const sizeOf = ({ hosts, more }: HostGroup): number => hosts.length + more;

/** Stored result of an Ansible task; its code is 0 if the host has no result. */
interface End {
  task: number;
  code: number;
}
interface Found {
  /** Index of the pair of Ansible tasks. */
  n: number;
  ends: Both<End>;
}

const NONE: End = { task: 0, code: 0 };
const NOTHING: Found[] = [];

/** Compares repeated results of an Ansible task on a host in their order. */
function differencesOf(
  [run, base]: TaskPair,
  n: number,
  [host, before]: Both<HostRow>,
  [codeOf, baseCodeOf]: Both<CodeOf>,
): Found[] {
  // Nearly all Ansible tasks are executed once, and end alike.
  const isOnce = run.length === 1 && base.length === 1;
  if (isOnce && codeOf(run[0].id, host.id) === baseCodeOf(base[0].id, before.id)) return NOTHING;
  const endsOf = (rows: TaskPair[0], its: HostRow, codeOf: CodeOf) =>
    rows.map(({ id }) => ({ task: id, code: codeOf(id, its.id) })).filter(({ code }) => code > 0);
  const ends = endsOf(run, host, codeOf);
  const others = endsOf(base, before, baseCodeOf);
  return Array.from(
    { length: Math.max(ends.length, others.length) },
    (_, at): Found => ({ n, ends: [ends[at] ?? NONE, others[at] ?? NONE] }),
  ).filter(({ ends: [end, other] }) => end.code !== other.code);
}

/** Returns a group, described by the first of its hosts. */
function groupOf(found: Found[], tasks: TaskPair[], hosts: Both<HostRow>): HostGroup {
  const all = found.map(({ n, ends }): OutcomeDifference => {
    const [run, base] = tasks[n];
    const { name, role, action } = ends[0].code > 0 ? run[0] : base[0];
    const [end, other] = ends.map(({ task, code }, side): ComparedEnd | null => {
      const status = statusOfCode(code);
      return status && { status, result: resultId(task, hosts[side].id) };
    });
    return { name, role, action, run: end, base: other };
  });
  const listed = all.filter(isListed).sort((a, b) => rankOf(a) - rankOf(b));
  const counted = all.filter((difference) => !isListed(difference));
  const alone = (side: "run" | "base") => counted.filter((its) => its[side] !== null);
  const of = (some: OutcomeDifference[]) => ({ count: some.length, first: some.at(0) ?? null });
  return {
    hosts: [],
    more: 0,
    rank: listed.length > 0 ? rankOf(listed[0]) : RANKS,
    differences: listed.slice(0, DIFFERENCES_MAX),
    moreDifferences: Math.max(0, listed.length - DIFFERENCES_MAX),
    onlyRun: of(alone("run")),
    onlyBase: of(alone("base")),
  };
}

export const isBad = (end: ComparedEnd | null) => end !== null && isFailure(end.status);
const isSaved = (end: ComparedEnd | null) => end !== null && isHandledFailure(end.status);

/**
 * Whether a difference is listed. Results that one task lacks because of a failure are only
 * counted.
 */
const isListed = ({ run, base }: OutcomeDifference): boolean =>
  run !== null && base !== null || [run, base].some((end) => isBad(end) || isSaved(end));

const RANKS = 4;
function rankOf({ run, base }: OutcomeDifference): number {
  if (isBad(run)) return 0;
  if (isBad(base)) return 1;
  return isSaved(run) || isSaved(base) ? 2 : 3;
}
