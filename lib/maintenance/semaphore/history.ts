import type { Deps } from "../../access/deps.ts";
import type { UserActor } from "../../access/actor.ts";
import { openProject, type Scope } from "../../access/scope.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { AppError } from "../../base/errors.ts";
import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { indexSecrets, type SecretIndex } from "../../execution/log/redaction.ts";
import { importTask, type OutputRecord } from "./import_task.ts";
import { isFinished, type Status } from "../../model/status.ts";
import { findPeople, finishedTask, type ImportContext } from "./finished_task.ts";
import type { Item, SourceProject } from "./source.ts";
import { taskItem, timeOf } from "./task_item.ts";
import { type HistoryPlan, type LeftOutTasks, tally } from "./plan_history.ts";
import { secretsOfUrl } from "../../execution/git/address.ts";

/** Number of consecutive failures after which the other server counts as unavailable. */
const FAILURES_MAX = 3;

/** Maximum number of lines of one task's output, because a source could send lines without end. */
const LINES_MAX = 5_000_000;

/** Progress of importing a project's history. */
export interface HistoryProgress {
  /** Tasks processed so far, and the number of all tasks. */
  done: number;
  total: number;
  lines: number;
}

export interface HistoryReport extends HistoryProgress {
  /** Tasks that were imported. */
  imported: number;
  leftOut: LeftOutTasks[];
  /** Number of tasks among them that could not be read. Another attempt may succeed. */
  failed: number;
}

/** The report before any task was imported. */
export const newReport = ({ tasks, leftOut }: HistoryPlan): HistoryReport => ({
  done: 0,
  total: tasks.length,
  lines: 0,
  imported: 0,
  leftOut,
  failed: 0,
});

/** The import's source, actor and target project. */
interface Import extends ImportContext, Scope<UserActor, Pick<Deps, "kv" | "hub">> {
  projectId: number;
  /** Texts that are masked in all output. */
  secrets: string[];
  index: SecretIndex;
}

/** Imports the planned tasks, oldest first. A failure leaves only complete tasks. */
export async function importHistory(
  context: Omit<Import, "people" | "builds" | "secrets" | "index">,
  plan: HistoryPlan,
  onProgress: (progress: HistoryProgress) => void,
): Promise<HistoryReport> {
  const report = newReport(plan);
  if (report.total === 0) return report;
  const { leftOut } = report;
  const people = await findPeople(context.deps.kv, context.source);
  const secrets = secretsOfProject(context.read);
  const index = indexSecrets(secrets);
  const history: Import = { ...context, people, builds: new Map(), secrets, index };
  let failuresInRow = 0;
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
      failuresInRow = 0;
    } catch (error) {
      tally(leftOut, reasonOf(error));
      report.lines = before;
      report.failed++;
      failuresInRow++;
    }
    report.done++;
    if (failuresInRow === FAILURES_MAX) break;
  }
  return report;
}

/** Returns the reason why a task cannot be read. Rethrows any other error. */
function reasonOf(error: unknown): SentenceOrText {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof AppError) return { key: error.key, params: error.params };
  throw error;
}

/** Imports one task. Returns the reason why it was left out, or null. */
async function importOne(
  history: Import,
  { id, created, newId }: HistoryPlan["tasks"][number],
  onLine: () => void,
): Promise<string | null> {
  const { source, read, names, made, projectId } = history;
  const sourceId = Number(read.project.id);
  const item = await source.task(sourceId, id);
  if (item === null) return "deleted in the meantime";
  if (!isFinished(item.status as Status)) return "not finished yet";
  const parsed = taskItem.safeParse(item);
  if (!parsed.success) return "of an unknown kind";
  const templateName = names.templates.get(parsed.data.template_id)?.name ?? "";
  const templateId = made.templates.get(templateName);
  if (templateId === undefined) return `of the template "${templateName}", which was skipped`;
  const { task, secret } = await finishedTask(history, parsed.data);
  const finished = { ...task, id: newId, template_id: templateId, created };
  await importTask(await openProject(history, projectId, "update_project"), finished, {
    records: recordsOf(source.output(sourceId, id), onLine),
    secrets: secret.length > 0 ? indexSecrets([...history.secrets, ...secret]) : history.index,
  });
  history.builds.set(id, { id: newId, version: task.version ?? task.incoming_version });
  return null;
}

async function* recordsOf(
  items: AsyncIterable<Item> | Iterable<Item>,
  onLine: () => void,
): AsyncGenerator<OutputRecord> {
  let lines = 0;
  for await (const { time, output } of items) {
    if (++lines > LINES_MAX) throw new ConfigError(`its output has more than ${LINES_MAX} lines`);
    const text = String(output ?? "");
    // A newline at the end does not start another line.
    yield { time: timeOf(time), output: text.endsWith("\n") ? text.slice(0, -1) : text };
    onLine();
  }
}

/** Returns the known secrets of a project, which must not be visible in the output of its tasks. */
function secretsOfProject({ keys, environments, repositories }: SourceProject): string[] {
  const typed = repositories.map(({ git_url, ssh_key_id }) => ({
    url: String(git_url ?? ""),
    keyType: String(keys.find(({ id }) => id === ssh_key_id)?.type),
  }));
  const found: unknown[] = [
    ...keys.flatMap(({ login_password, ssh, string }) => [
      string || undefined,
      memberOf(login_password, "password"),
      memberOf(ssh, "passphrase"),
      memberOf(ssh, "private_key"),
    ]),
    ...environments.flatMap(({ secrets }) =>
      Array.isArray(secrets) ? secrets.map(({ secret }) => secret) : []
    ),
    ...typed.flatMap(({ url, keyType }) => secretsOfUrl(url, keyType)),
  ];
  return found.filter((secret) => typeof secret === "string");
}

const memberOf = (value: unknown, name: string) => (value as Item | undefined)?.[name];
