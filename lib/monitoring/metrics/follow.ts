import { Buffer } from "node:buffer";
import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../kv/keys.ts";
import type { LiveMessage } from "../../base/hub.ts";
import { describeError } from "../../base/log.ts";
import type { TaskRow } from "../../tasks/schema.ts";
import { isFinished, type Status } from "../../tasks/status.ts";
import type { Metrics } from "./metrics.ts";

/** Counts the events of this server until the returned function is called. */
export function countEvents({ hub, kv, log }: Deps, metrics: Metrics): () => void {
  return hub.subscribe((message) => {
    if (message.type === "log") countLines(metrics, message.records);
    if (message.type !== "update") return;
    if (message.status === "running") {
      countStart(kv, metrics, message).catch((error) =>
        log("warn", "metric_lost", describeError(error))
      );
    }
    if (isFinished(message.status as Status)) countEnd(metrics, message);
  });
}

function countLines({ logLines, logBytes }: Metrics, records: { output: string }[]): void {
  logLines.inc(records.length);
  logBytes.inc(records.reduce((sum, { output }) => sum + Buffer.byteLength(output) + 1, 0));
}

type Update = Extract<LiveMessage, { type: "update" }>;

async function countStart(kv: Deno.Kv, { taskStarts }: Metrics, update: Update): Promise<void> {
  const { value: task } = await kv.get<TaskRow>(rowKeys.task(update.project_id, update.task_id));
  if (task?.start) taskStarts.observe(secondsBetween(task.created, task.start));
}

function countEnd({ taskEnds, taskRuns }: Metrics, { status, start, end }: Update): void {
  taskEnds.inc({ status });
  if (start && end) taskRuns.observe(secondsBetween(start, end));
}

const secondsBetween = (from: string, to: string) =>
  Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
