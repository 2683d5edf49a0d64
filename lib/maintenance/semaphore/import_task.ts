import type { ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { notFound } from "../../base/errors.ts";
import { lineSplitter } from "../../execution/log/output.ts";
import { redactor, type SecretIndex } from "../../execution/log/redaction.ts";
import { guardProject } from "../../store/guard_project.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { requireStorable, storeAnswers } from "../../tasks/answer_store.ts";
import { deleteRecords } from "../../output/store.ts";
import { createLogWriter, type LogWriter } from "../../output/writer.ts";
import { copyOf, effectiveOf } from "../../queue/start/new_task.ts";
import { holdHistory, insertTask, takeTurn } from "../../tasks/insert.ts";
import type { Given, TaskRow } from "../../model/task_row.ts";
import { isLaterVersion } from "../../queue/start/builds.ts";

type Kept =
  | "id"
  | "template_id"
  | "message"
  | "created"
  | "start"
  | "end"
  | "user_id"
  | "username"
  | "user_name"
  | "environment"
  | "arguments"
  | "debug"
  | "dry_run"
  | "diff"
  | "version"
  | "build_task_id"
  | "incoming_version"
  | "commit_hash"
  | "commit_message";

/** A task that ended on another server, with its id here. See `TaskRow` for the members. */
export interface FinishedTask extends Pick<TaskRow, Kept> {
  status: "success" | "error" | "stopped";
  given: Given;
}

/** One or more lines of output. Without a time they have the time of the previous record. */
export interface OutputRecord {
  time: Date | null;
  output: string;
}

interface FinishedOutput {
  records: AsyncIterable<OutputRecord>;
  /** Texts that are masked in the records. */
  secrets: SecretIndex;
}

/**
 * Adds a task that ended elsewhere to a template's history, completely or not at all. It causes no
 * alert, no deploy and no event. The template's next build gets a later version than the task. Ids
 * must ascend with time, as those of all tasks do. Throws not found for a deleted template, 400 for
 * a task that is too large.
 */
export async function importTask(
  { deps, projectId }: ProjectScope<"update_project", Pick<Deps, "kv" | "hub">>,
  finished: FinishedTask,
  output: FinishedOutput,
): Promise<void> {
  const { kv } = deps;
  const template = await templateRows.get(kv, projectId, finished.template_id);
  const task = taskOf(template, finished);
  requireStorable(task.environment);
  const started = rowKeys.taskImport(projectId, task.id);
  await transact(kv, async (op) => {
    await guardProject(kv, op, projectId);
    op.set(started, true);
  });
  const writer = logWriter(deps, task, output);
  try {
    await writer.write();
    await takeTurn(kv, async (op) => {
      const current = await templateRows.find(kv, projectId, template.id);
      if (!current) throw notFound();
      op.check(current.entry).delete(started);
      insertTask(op, await holdHistory(kv, op, task), storeAnswers(op, task));
      await followVersion(kv, op, task, current.row);
      writer.close(op);
    });
  } catch (error) {
    await writer.settle();
    await deleteRecords(kv, task.id);
    await kv.delete(started);
    throw error;
  }
}

function taskOf(template: TemplateRow, finished: FinishedTask): TaskRow {
  return {
    ...copyOf(template),
    ...effectiveOf(template, finished.given),
    ...finished,
    project_id: template.project_id,
    schedule_id: null,
    integration_id: null,
    has_secrets: false,
    secret_names: [],
    stop: "",
    end_reason: finished.status === "success" ? null : { key: "errors.run.not_imported" },
  };
}

/** Writes output like that of any task: with secrets masked, and long lines split. */
function logWriter(
  { kv, hub }: Pick<Deps, "kv" | "hub">,
  { project_id: projectId, id: taskId, created }: TaskRow,
  { records, secrets }: FinishedOutput,
) {
  let time = new Date(created);
  const clock = { now: () => time };
  const writer: LogWriter = createLogWriter({ kv, hub, clock, projectId, taskId });
  return {
    async write() {
      const masked = redactor(secrets);
      const lines = lineSplitter((line) => writer.write(line));
      for await (const record of records) {
        time = record.time ?? time;
        await lines.write(masked.write(`${record.output}\n`));
      }
      await lines.write(masked.end());
      await lines.end();
      await writer.flush();
    },
    close: writer.close,
    /** Waits for pending writes, whether they succeed or not. */
    settle: () => writer.flush().catch(() => {}),
  };
}

/** Stores an imported version in `op` if it is the latest, so that the next build follows it. */
async function followVersion(
  kv: Store,
  op: Atomic,
  { version }: TaskRow,
  { project_id, id, type, start_version }: TemplateRow,
): Promise<void> {
  if (type !== "build" || !start_version || version === null) return;
  const last = await kv.get<string>(rowKeys.buildVersion(project_id, id));
  op.check(last);
  if (isLaterVersion(start_version, version, last.value)) op.set(last.key, version);
}
