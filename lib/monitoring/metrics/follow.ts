import { Buffer } from "node:buffer";
import type { Deps } from "../../access/deps.ts";
import type { LiveMessage } from "../../base/hub.ts";
import { describeError } from "../../base/log.ts";
import { isFinished, type Status } from "../../model/status.ts";
import type { Metrics } from "./metrics.ts";
import { findTask } from "../../model/tasks.ts";

/** Counts the events of this server until the returned function is called. */
export function countEvents(deps: Deps, metrics: Metrics): () => void {
  const { hub, log } = deps;
  const countEnd = createEndCounter(metrics);
  return hub.subscribe((message) => {
    if (message.type === "log") countLines(metrics, message.records);
    // The times and failures of checks say nothing about runs.
    if (message.type !== "update" || message.check) return;
    if (message.status === "running") {
      countStart(deps, metrics, message).catch((error) =>
        log("warn", "metric_lost", describeError(error))
      );
    }
    if (isFinished(message.status as Status)) countEnd(message);
  });
}

function countLines({ logLines, logBytes }: Metrics, records: { output: string }[]): void {
  logLines.inc(records.length);
  logBytes.inc(records.reduce((sum, { output }) => sum + Buffer.byteLength(output) + 1, 0));
}

type Update = Extract<LiveMessage, { type: "update" }>;

async function countStart(
  { kv, clock }: Deps,
  { taskWaits, taskStarts }: Metrics,
  { project_id, task_id }: Update,
): Promise<void> {
  const running = clock.now().toISOString();
  const task = await findTask(kv, project_id, task_id);
  // A confirmed task has waited for a person, which says nothing about this server.
  if (!task?.start || task.preview?.confirmed_by) return;
  taskWaits.observe(secondsBetween(task.created, task.start));
  taskStarts.observe(secondsBetween(task.created, running));
}

/** Each template adds series that Prometheus stores. */
const TEMPLATES_MAX = 200;

/** Returns a function that counts an end. */
function createEndCounter({ taskEnds, taskRuns, templateEnds }: Metrics): (end: Update) => void {
  const templates = new Set<number>();
  return ({ project_id, template_id, status, start, end }) => {
    taskEnds.inc({ status });
    if (templates.size < TEMPLATES_MAX) templates.add(template_id);
    const known = templates.has(template_id);
    const [project, template] = known ? [project_id, template_id] : [0, 0];
    templateEnds.inc({ project, template, status });
    if (start && end) taskRuns.observe(secondsBetween(start, end));
  };
}

const secondsBetween = (from: string, to: string) =>
  Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
