import type { Store } from "../../store/store.ts";
import { phaseOf, readMaintenance } from "../../access/maintenance.ts";
import { findToolchain } from "../../resources/toolchains/choose.ts";
import { toolchainPlan } from "../../resources/toolchains/plan.ts";
import { listRunners } from "../../runners/repository.ts";
import { seenRunners } from "../../runners/presence.ts";
import { needsRunner } from "../../runners/rows.ts";
import type { OpenTask } from "../open_tasks.ts";
import { isActive, isQueued } from "../../model/status.ts";
import { createPlacer, type Placeable, type Placement, type RunnerWait } from "./placement.ts";
import { findTemplateHeads } from "../../model/templates.ts";
import { getProjectRows } from "../../model/projects.ts";

/**
 * Rows that the queue depends on besides its own. Each change of such a row moves `tasks_wake` in
 * the same commit and wakes the dispatcher. `queue_wake_test` covers all of them.
 */
interface Limits {
  /** Projects of queued tasks. Tasks of missing projects do not start. */
  projects: Map<number, { max_parallel_tasks: number; only_runners?: boolean | null }>;
  /** Templates that allow parallel tasks, by `templateOf`. */
  parallel: Set<string>;
  /** Runners that queued tasks may need. */
  placeable: Placeable;
  /** Whether the server is in maintenance, in which no task starts. */
  held: boolean;
}

const templateOf = (task: Pick<OpenTask, "project_id" | "template_id">): string =>
  `${task.project_id}/${task.template_id}`;

/**
 * Reads the limits for the queued tasks of `open`. `offers` are the runners that take a task from
 * this server now; null stands for all that any server has seen lately.
 */
export async function readLimits(
  { kv, clock }: { kv: Store; clock: { now(): Date } },
  open: OpenTask[],
  offers: ReadonlySet<number> | null = null,
): Promise<Limits> {
  const queued = open.filter(({ status }) => isQueued(status));
  const templates = new Map(queued.map((task) => [templateOf(task), task]));
  const projectIds = new Set(queued.map(({ project_id }) => project_id));
  const [projectRows, templateRows, runners, maintenance] = await Promise.all([
    getProjectRows(kv, [...projectIds]),
    findTemplateHeads(
      kv,
      [...templates.values()].map(({ project_id, template_id }) => [project_id, template_id]),
    ),
    listRunners(kv),
    readMaintenance(kv),
  ]);
  const shown = projectRows.filter(({ deleting }) => !deleting);
  const projects = new Map(shown.map((project) => [project.id, project]));
  const remote = queued.filter((task) => isRemote(task, projects.get(task.project_id)));
  const needsRunners = remote.length > 0;
  return {
    projects,
    held: phaseOf(maintenance, clock.now()) === "on",
    parallel: new Set(
      templateRows.filter(({ allow_parallel_tasks }) => allow_parallel_tasks)
        .map(({ project_id, id }) => templateOf({ project_id, template_id: id })),
    ),
    placeable: {
      runners: needsRunners ? runners : [],
      seen: needsRunners && offers === null ? await seenRunners(kv) : new Map(),
      now: clock.now(),
      offers,
      toolchains: await toolchainsOf(kv, remote),
    },
  };
}

async function toolchainsOf(kv: Store, tasks: OpenTask[]): Promise<Placeable["toolchains"]> {
  const wanted = new Map(
    tasks.map(({ toolchain_id = 0, project_id }) => [toolchain_id, project_id]),
  );
  wanted.delete(0);
  const found = await Promise.all(
    [...wanted].map(([id, projectId]) => findToolchain(kv, projectId, id)),
  );
  return new Map(found.flatMap((it) => it ? [[it.row.id, toolchainPlan(it.row)]] : []));
}

/** Whether a task runs on a runner instead of a server. */
const isRemote = (
  { labels = [], runner_id }: OpenTask,
  project: { only_runners?: boolean | null } | undefined,
): boolean => runner_id !== undefined || needsRunner(labels, project);

/**
 * Reason why a queued task does not start yet. `behind` has the tasks that must end first, oldest
 * first.
 */
export type Blocked =
  | { by: "maintenance" }
  | { by: "template"; behind: OpenTask[] }
  /** They use the same kept files. */
  | { by: "kept"; behind: OpenTask[] }
  | { by: "project"; limit: number; behind: OpenTask[] }
  /** The servers run as many tasks as they may, of any project. */
  | { by: "server" }
  | { by: "runner"; why: RunnerWait };

interface Verdict {
  task: OpenTask;
  /** Null if the task starts now. */
  blocked: Blocked | null;
  /** The runner that it starts on; null for a server. */
  runner: number | null;
}

/**
 * Returns a verdict for each queued task, in the order of `open`, but with checks behind all others
 * so that no task waits for one that could have started later. At most `free` tasks start on
 * servers now. A blocked task never blocks the others. Tasks of projects that are deleted or being
 * deleted are left out.
 */
export function judge(
  open: OpenTask[],
  { projects, parallel, placeable, held }: Limits,
  free: number,
): Verdict[] {
  const byProject = groups(({ project_id }) => project_id);
  const byTemplate = groups(templateOf);
  const keeping: OpenTask[] = [];
  const hold = (task: OpenTask) => {
    [byProject, byTemplate].forEach((group) => group.add(task));
    if (task.keeps) keeping.push(task);
  };
  const placer = createPlacer(placeable);
  const active = open.filter(({ status }) => isActive(status));
  active.forEach(hold);
  active.forEach(placer.hold);
  let left = free;
  const inOrder = open.toSorted((a, b) => Number(a.check ?? false) - Number(b.check ?? false));
  return inOrder.flatMap((task) => {
    const project = projects.get(task.project_id);
    if (!project || !isQueued(task.status)) return [];
    const { max_parallel_tasks: limit } = project;
    const [ofProject, ofTemplate] = [byProject.of(task), byTemplate.of(task)];
    const ofFiles = keeping.filter(({ keeps }) => keeps!.some((one) => task.keeps?.includes(one)));
    const limited: Blocked | null = held
      ? { by: "maintenance" }
      : ofTemplate.length > 0 && !parallel.has(templateOf(task))
      ? { by: "template", behind: ofTemplate }
      : ofFiles.length > 0
      ? { by: "kept", behind: ofFiles }
      : limit > 0 && ofProject.length >= limit
      ? { by: "project", limit, behind: ofProject }
      : null;
    const place = limited
      ? { blocked: limited, runner: null }
      : isRemote(task, project)
      ? onRunner(placer.place(task))
      : onServer(left);
    if (!place.blocked) {
      hold(task);
      if (place.runner === null) left--;
    }
    return { task, ...place };
  });
}

const onServer = (free: number): Omit<Verdict, "task"> => ({
  blocked: free > 0 ? null : { by: "server" },
  runner: null,
});

const onRunner = (place: Placement): Omit<Verdict, "task"> =>
  "runner" in place
    ? { blocked: null, runner: place.runner }
    : { blocked: { by: "runner", why: place.wait }, runner: null };

/** Groups tasks by a common value. */
function groups(commonOf: (task: OpenTask) => string | number) {
  const tasks = new Map<string | number, OpenTask[]>();
  return {
    of: (task: OpenTask) => tasks.get(commonOf(task)) ?? [],
    add(task: OpenTask) {
      const group = tasks.get(commonOf(task));
      if (group) group.push(task);
      else tasks.set(commonOf(task), [task]);
    },
  };
}
