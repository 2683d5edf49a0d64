import type { MadeIds } from "../backup/service.ts";
import type { FinishedTask } from "./import_task.ts";
import { findUserByLogin } from "../../people/users/repository.ts";
import type { FileNames } from "./backup_file.ts";
import type { Item, Source, SourceProject } from "./source.ts";
import type { TaskItem } from "./task_item.ts";
import type { Store } from "../../store/store.ts";

/** Data for converting the tasks of one project. */
export interface ImportContext {
  source: Source;
  read: SourceProject;
  names: FileNames;
  made: MadeIds;
  /** The accounts of the other server by their ids there. */
  people: Map<number, Pick<FinishedTask, "user_id" | "username" | "user_name">>;
  /** Imported tasks that a deploy may refer to, by their ids on the other server. */
  builds: Map<number, { id: number; version: string | null }>;
}

/** Maps the accounts of the other server to the accounts with the same login here. */
export async function findPeople(kv: Store, source: Source): Promise<ImportContext["people"]> {
  const people: ImportContext["people"] = new Map();
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

/** Converts a task without its id. Also returns its secret answers that were stored in clear. */
export async function finishedTask(
  context: ImportContext,
  item: TaskItem,
): Promise<{ task: Omit<FinishedTask, "id" | "template_id" | "created">; secret: string[] }> {
  const { open, secret } = answersOf(context.read, item);
  const task = {
    ...fieldsOf(context, item),
    ...await buildOf(context, item),
    environment: JSON.stringify(open),
  };
  return { task, secret };
}

/**
 * Splits answers into those that may be shown and secret ones, which some servers store in clear.
 */
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

function fieldsOf({ people, names, made }: ImportContext, task: TaskItem) {
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

/** The build that a deploy released. Only its version if that build was not imported. */
async function buildOf({ builds, source, read }: ImportContext, { build_task_id }: TaskItem) {
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
