import type { ProjectScope } from "../access/scope.ts";
import { readResults } from "../results/find_results.ts";
import { matchPlayTasks, type TaskPair } from "../results/match_tasks.ts";
import {
  findHead,
  listHosts,
  listPlays,
  listPlayTasks,
  readStates,
} from "../results/result_store.ts";
import { type HostRow, type PlayTaskRow, positionOfId } from "../results/rows.ts";
import { worstFirst } from "../results/statuses.ts";
import { gapsOf, runHost } from "../results/view.ts";
import { readHostNames } from "../tasks/host_store.ts";
import type { TaskRow } from "../model/task_row.ts";
import { differentHosts, isBad } from "./outcomes.ts";
import type {
  ComparedEnd,
  HostGroup,
  Pair,
  ResultDifferences,
  ResultsPart,
  SomeHosts,
  TaskDuration,
} from "./schema.ts";
import type { Store } from "../store/store.ts";

/** Maximum number of Ansible tasks x hosts that are compared, more than most tasks have. */
const PLACES_MAX = 2_000_000;
/** Maximum numbers of listed items. Further ones are counted. */
const GROUPS_MAX = 20;
const DURATIONS_MAX = 15;
const HOSTS_NAMED = 50;
const MESSAGE_MAX = 300;

/** Returns the differences between the results of both tasks. */
export async function resultsOf(
  { deps: { kv } }: ProjectScope,
  { run, base }: Pair,
): Promise<ResultsPart> {
  const [its, others] = await Promise.all([run, base].map((task) => readRunResults(kv, task)));
  const withoutResults = [its, others].filter(({ head }) => head === null).map(({ id }) => id);
  if (withoutResults.length > 0) return { withoutResults, differences: null };
  const sameFiles = run.commit_hash !== null && run.commit_hash === base.commit_hash;
  const tasks = matchPlayTasks(its, others, { sameFiles });
  const durations = differentDurations(tasks);
  const differences: ResultDifferences = {
    gaps: [run, base].flatMap(({ id, status }, n) =>
      gapsOf(status, [its, others][n].head!).map((gap) => ({ id, gap }))
    ),
    ...await hostsOf(kv, its, others, tasks),
    onlyRun: without(its.hosts, others.hosts, await readHostNames(kv, base)),
    onlyBase: without(others.hosts, its.hosts, await readHostNames(kv, run)),
    durations: durations.slice(0, DURATIONS_MAX),
    moreDurations: Math.max(0, durations.length - DURATIONS_MAX),
  };
  return { withoutResults, differences };
}

type ReportedResults = Awaited<ReturnType<typeof readRunResults>>;

async function readRunResults(kv: Store, { id }: TaskRow) {
  const [head, plays, tasks, hosts] = await Promise.all([
    findHead(kv, id),
    listPlays(kv, id),
    listPlayTasks(kv, id),
    listHosts(kv, id),
  ]);
  return { id, head, plays, tasks, hosts };
}

/** Returns the hosts that both tasks reached, those with the worst status first. */
async function hostsOf(
  kv: Store,
  its: ReportedResults,
  others: ReportedResults,
  tasks: TaskPair[],
) {
  const byName = new Map(others.hosts.map((host) => [host.name, host]));
  const both = worstFirst(its.hosts.map(runHost)).flatMap(({ id, name }) => {
    const other = byName.get(name);
    return other ? [[its.hosts[id - 1], other] as const] : [];
  });
  const rows = Math.max(1, its.tasks.length, others.tasks.length);
  const compared = both.slice(0, Math.floor(PLACES_MAX / rows));
  const statesOf = (run: ReportedResults, side: 0 | 1) =>
    readStates(kv, run.id, run.tasks.map(({ id }) => id), compared.map((pair) => pair[side].id));
  const codes = await Promise.all([statesOf(its, 0), statesOf(others, 1)]);
  const groups = await differentHosts(compared, tasks, codes);
  const shown = groups.slice(0, GROUPS_MAX);
  await Promise.all([
    readMessages(kv, its.id, shown.map(({ differences }) => differences.at(0)?.run)),
    readMessages(kv, others.id, shown.map(({ differences }) => differences.at(0)?.base)),
  ]);
  return {
    hosts: both.length,
    different: hostsIn(groups),
    notCompared: both.length - compared.length,
    groups: shown,
    moreHosts: hostsIn(groups.slice(GROUPS_MAX)),
  };
}

/** Adds the messages of failures to `ends`. */
async function readMessages(kv: Store, run: number, ends: (ComparedEnd | null | undefined)[]) {
  const failed = ends.filter((end) => end != null).filter(isBad);
  if (failed.length === 0) return;
  const results = await readResults(kv, run, failed.map(({ result }) => positionOfId(result)));
  const byId = new Map(results.map((result) => [result.id, result]));
  for (const end of failed) {
    const { message = "", item_results = [] } = byId.get(end.result) ?? {};
    end.message = (message || item_results.at(0)?.message || "").slice(0, MESSAGE_MAX);
  }
}

const hostsIn = (groups: HostGroup[]): number =>
  groups.reduce((sum, { hosts, more }) => sum + hosts.length + more, 0);

/**
 * Returns the hosts that the other task did not reach. If that is a retry, other hosts than those
 * it was limited to are left out.
 */
function without(hosts: HostRow[], others: HostRow[], limited: string[] | null): SomeHosts {
  const names = new Set(others.map(({ name }) => name));
  const wanted = limited && new Set(limited);
  const only = hosts.filter(({ name }) => !names.has(name) && (wanted?.has(name) ?? true));
  return {
    hosts: only.slice(0, HOSTS_NAMED).map(({ id, name }) => ({ id, name })),
    more: Math.max(0, only.length - HOSTS_NAMED),
  };
}

/** Minimum difference of durations that is listed, absolute and as a part of the longer one. */
const DIFFERENCE_MS = 1_000;
const DIFFERENCE_PART = 0.1;

/** Returns the Ansible tasks with different durations, largest difference first. */
const differentDurations = (tasks: TaskPair[]): TaskDuration[] =>
  tasks.filter(([run, base]) => run.length > 0 && base.length > 0)
    .map(([run, base]): TaskDuration => ({
      name: run[0].name,
      role: run[0].role,
      action: run[0].action,
      run: takenBy(run),
      base: takenBy(base),
    }))
    .filter(({ run, base }) => {
      const more = Math.abs(run.ms - base.ms);
      return more >= DIFFERENCE_MS && more >= DIFFERENCE_PART * Math.max(run.ms, base.ms);
    })
    .sort((a, b) => Math.abs(b.run.ms - b.base.ms) - Math.abs(a.run.ms - a.base.ms));

/** Returns the total time of an Ansible task, and its number of hosts. */
const takenBy = (rows: PlayTaskRow[]) => ({
  task: rows[0].id,
  ms: rows.reduce((sum, { began, ended }) => sum + ended - began, 0),
  hosts: Math.max(...rows.map(hostCount)),
});

const hostCount = ({ counts }: PlayTaskRow): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
