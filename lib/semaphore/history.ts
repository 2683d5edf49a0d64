import type { UserActor } from "../access/actor.ts";
import type { MadeIds } from "../backup/service.ts";
import { ConfigError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { indexSecrets } from "../execution/redaction.ts";
import { translator } from "../i18n/translate.ts";
import { type FinishedTask, importTask, type OutputRecord } from "../tasks/import_task.ts";
import { isFinished, type Status } from "../tasks/status.ts";
import { findUserByLogin } from "../users/repository.ts";
import type { FileNames } from "./backup_file.ts";
import { secretsOfProject } from "./project_secrets.ts";
import type { Item, Source, SourceProject, SourceTask } from "./source.ts";
import { type TaskItem, taskItem, timeOf } from "./task_item.ts";

/** So many tasks that cannot be had, one after the other, are the other server's end. */
const FAILURES_MAX = 3;

/** The tasks that are to come along, oldest first, with the ids they are to have here. */
export interface HistoryPlan {
  tasks: (SourceTask & { created: string; newId: number })[];
  leftOut: Map<string, number>;
}

/** How far the history of a project has come. */
export interface HistoryProgress {
  /** Tasks that were looked at, of so many. */
  done: number;
  total: number;
  lines: number;
}

export interface HistoryReport extends HistoryProgress {
  /** Tasks that are here now. */
  imported: number;
  /** How many tasks did not come along, by the reason. */
  leftOut: Map<string, number>;
  /** Why no further task was asked for; null when all were. */
  stopped: string | null;
}

/**
 * Chooses the newest `count` tasks of each template. Their ids are taken with `take` before their
 * project is made: a project's ids are in order of time, whoever starts tasks in it meanwhile.
 */
export async function planHistory(
  source: Source,
  { project, templates }: SourceProject,
  count: number,
  take: (count: number) => Promise<number[]>,
): Promise<HistoryPlan> {
  const leftOut = new Map<string, number>();
  const found: (SourceTask & { created: string })[] = [];
  for (const template of templates) {
    const { tasks, cut } = await source.tasks(Number(project.id), Number(template.id), count);
    if (cut) tally(leftOut, `of "${template.name}", all that are older: the server lists no more`);
    for (const { id, created } of tasks) {
      if (created === null) tally(leftOut, "without a time");
      else found.push({ id, created });
    }
  }
  // Not by id: those of one kind of database count down.
  found.sort((a, b) => a.created < b.created ? -1 : a.created > b.created ? 1 : a.id - b.id);
  const ids = await take(found.length);
  return { tasks: found.map((task, at) => ({ ...task, newId: ids[at] })), leftOut };
}

const tally = (counts: Map<string, number>, reason: string) =>
  counts.set(reason, (counts.get(reason) ?? 0) + 1);

/** Everything that a task's import asks for. */
interface Import {
  deps: Pick<Deps, "kv" | "hub">;
  actor: UserActor;
  source: Source;
  read: SourceProject;
  names: FileNames;
  made: MadeIds;
  projectId: number;
  /** The accounts of the other server by their ids there. */
  people: Map<number, Pick<FinishedTask, "user_id" | "username" | "user_name">>;
  /** Tasks that a deploy may have brought out, by their ids there. */
  builds: Map<number, { id: number; version: string | null }>;
  secrets: string[];
}

/** What is told before a task has come. */
export const newReport = ({ tasks, leftOut }: HistoryPlan): HistoryReport => ({
  done: 0,
  total: tasks.length,
  lines: 0,
  imported: 0,
  leftOut,
  stopped: null,
});

/** Brings the planned tasks, oldest first; what fails in the middle leaves whole tasks only. */
export async function importHistory(
  context: Omit<Import, "people" | "builds" | "secrets">,
  plan: HistoryPlan,
  onProgress: (progress: HistoryProgress) => void,
): Promise<HistoryReport> {
  const { deps, source, read } = context;
  const report = newReport(plan);
  if (report.total === 0) return report;
  const { leftOut } = report;
  const history: Import = {
    ...context,
    people: await findPeople(deps.kv, source),
    builds: new Map(),
    secrets: secretsOfProject(read),
  };
  let failures = 0;
  for (const task of plan.tasks) {
    onProgress(report);
    const before = report.lines;
    const onLine = () => {
      report.lines++;
      onProgress(report);
    };
    try {
      const problem = await importOne(history, task, onLine);
      if (problem === null) report.imported++;
      else tally(leftOut, problem);
      failures = 0;
    } catch (error) {
      report.lines = before;
      const reason = reasonOf(error);
      tally(leftOut, reason);
      if (++failures === FAILURES_MAX) report.stopped = reason;
    }
    report.done++;
    if (report.stopped !== null) break;
  }
  return report;
}

const english = translator("en");

/** Why a task cannot be had, in a sentence; throws what is no such thing. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof AppError) return english(error.key, error.params);
  throw error;
}

async function findPeople(kv: Deno.Kv, source: Source): Promise<Import["people"]> {
  const people: Import["people"] = new Map();
  for (const { id, username, name } of await source.users()) {
    const found = await findUserByLogin(kv, String(username).toLowerCase());
    people.set(Number(id), {
      user_id: found?.value.id ?? null,
      username: String(username),
      user_name: String(name || username),
    });
  }
  return people;
}

/** Brings one task; answers why it was left out, or null. */
async function importOne(
  history: Import,
  { id, created, newId }: HistoryPlan["tasks"][number],
  onLine: () => void,
): Promise<string | null> {
  const { deps, actor, source, read, names, made, projectId } = history;
  const sourceId = Number(read.project.id);
  const item = await source.task(sourceId, id);
  if (item === null) return "gone meanwhile";
  if (!isFinished(item.status as Status)) return "without an end yet";
  const parsed = taskItem.safeParse(item);
  if (!parsed.success) return "of a kind that is not known here";
  const templateName = names.templates.get(parsed.data.template_id)?.name ?? "";
  const templateId = made.templates.get(templateName);
  if (templateId === undefined) return `of the template "${templateName}", which was left out`;
  const { open, secret } = answersOf(read, parsed.data);
  const task: FinishedTask = {
    ...fieldsOf(history, parsed.data),
    ...await buildOf(history, parsed.data),
    id: newId,
    template_id: templateId,
    created,
    environment: JSON.stringify(open),
  };
  await importTask(deps, actor, projectId, task, {
    records: recordsOf(source.output(sourceId, id), onLine),
    secrets: indexSecrets([...history.secrets, ...secret]),
  });
  history.builds.set(id, { id: newId, version: task.version ?? task.incoming_version });
  return null;
}

/** Answers that may be shown, and the secret ones among them, which some servers store in clear. */
function answersOf({ templates }: SourceProject, { template_id, environment }: TaskItem) {
  const template = templates.find(({ id }) => id === template_id);
  const survey = Array.isArray(template?.survey_vars) ? template.survey_vars as Item[] : [];
  const hidden = new Set(survey.filter(({ type }) => type === "secret").map(({ name }) => name));
  const entries = Object.entries(environment);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !hidden.has(name))),
    secret: entries.filter(([name]) => hidden.has(name)).map(([, value]) => String(value)),
  };
}

function fieldsOf({ people, names, made }: Import, task: TaskItem) {
  const { status, message, start, end, git_branch, version, commit_hash, commit_message } = task;
  const { params, inventory_id } = task;
  const inventory = names.inventories.get(inventory_id ?? 0)?.name ?? "";
  const orElse = (words: string[], ...others: (string[] | undefined)[]) =>
    [words, ...others].find((list) => list && list.length > 0) ?? [];
  return {
    status,
    message,
    start,
    end,
    ...people.get(task.user_id ?? 0) ?? { user_id: null, username: null, user_name: null },
    arguments: task.arguments,
    given: {
      inventory_id: made.inventories.get(inventory) ?? null,
      git_branch,
      limit: orElse(task.limit, task.hosts_limit, params?.limit),
      tags: params?.tags ?? [],
      skip_tags: params?.skip_tags ?? [],
    },
    debug: task.debug || (params?.debug ?? false),
    dry_run: task.dry_run || (params?.dry_run ?? false),
    diff: task.diff || (params?.diff ?? false),
    version,
    commit_hash,
    commit_message: commit_message || null,
  };
}

/** The build that a deploy brought out; of one that did not come along, its version only. */
async function buildOf({ builds, source, read }: Import, { build_task_id }: TaskItem) {
  if (build_task_id === null) return { build_task_id: null, incoming_version: null };
  const here = builds.get(build_task_id);
  if (here) return { build_task_id: here.id, incoming_version: here.version };
  const there = await source.task(Number(read.project.id), build_task_id);
  const version = there?.version;
  return {
    build_task_id: null,
    incoming_version: typeof version === "string" && version !== "" ? version : null,
  };
}

async function* recordsOf(
  items: AsyncIterable<Item> | Iterable<Item>,
  onLine: () => void,
): AsyncGenerator<OutputRecord> {
  for await (const { time, output } of items) {
    const text = String(output ?? "");
    // A newline at its end is no further line.
    yield { time: timeOf(time), output: text.endsWith("\n") ? text.slice(0, -1) : text };
    onLine();
  }
}
