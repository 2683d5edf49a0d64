import { parseArgs } from "node:util";
import { measureFilters } from "./bench/filters.ts";
import { readTask, writeHistory } from "./bench/history.ts";
import { measureLarge } from "./bench/large.ts";
import { CLOCK_LINES, type Lab, LINES, newLab } from "./bench/lab.ts";
import { formatRow, perSecond, type Row, times } from "./bench/measure.ts";
import { measureLivePages } from "./bench/live.ts";
import { writeLongLog } from "./bench/long_log.ts";
import { measureRest } from "./bench/memory.ts";
import { hasEnded, openMessages } from "./bench/messages.ts";
import { measureRequests } from "./bench/requests.ts";
import { measureResults } from "./bench/results.ts";
import { measureRetention } from "./bench/retention.ts";
import { measureRunners } from "./bench/runners.ts";
import { measureScale } from "./bench/scale.ts";
import { measureSearch } from "./bench/search.ts";
import { measureSize } from "./bench/size.ts";
import { startTask } from "./bench/start_task.ts";
import { say } from "../scripts/console.ts";

const HISTORY = 100_000;
const LONG_LOG = 1_000_000;

/**
 * Measures from sending the request to the message that the playbook runs, one task after the
 * other.
 */
async function measureStarts(lab: Lab, name: string, templateId: number): Promise<Row> {
  const messages = await openMessages(lab);
  await startTask(lab, templateId).then((id) =>
    messages.wait((message) => message.task_id === id && hasEnded(message))
  );
  const values: number[] = [];
  for (let n = 0; n < 100; n++) {
    const sentAt = performance.timeOrigin + performance.now();
    const id = await startTask(lab, templateId);
    const of = (message: { task_id: number }) => message.task_id === id;
    const running = await messages.wait((message) => of(message) && message.status === "running");
    values.push(running.at - sentAt);
    await messages.wait((message) => of(message) && hasEnded(message));
  }
  messages.close();
  return [name, times(values)];
}

async function measureQueue(lab: Lab): Promise<Row> {
  const messages = await openMessages(lab);
  const startedAt = performance.now();
  const ids = await Promise.all(
    Array.from({ length: 200 }, () => startTask(lab, lab.noopTemplateId)),
  );
  await Promise.all(
    ids.map((id) => messages.wait((message) => message.task_id === id && hasEnded(message))),
  );
  const duration = performance.now() - startedAt;
  messages.close();
  return ["200 queued tasks that do nothing, 10 in parallel", {
    rate: perSecond(ids.length, duration),
    note: `${(duration / 1000).toFixed(1)} s in all`,
  }];
}

/** Measures from the playbook's start to its end, when all its lines are stored. */
async function measureLines(lab: Lab): Promise<Row> {
  const messages = await openMessages(lab);
  const id = await startTask(lab, lab.linesTemplateId);
  const of = (message: { task_id: number }) => message.task_id === id;
  const running = await messages.wait((message) => of(message) && message.status === "running");
  const ended = await messages.wait((message) => of(message) && hasEnded(message));
  messages.close();
  return [`${LINES.toLocaleString("en")} lines of a task stored and sent to a socket`, {
    rate: perSecond(LINES, ended.at - running.at),
  }];
}

async function measureDelay(lab: Lab): Promise<Row> {
  const messages = await openMessages(lab);
  const id = await startTask(lab, lab.clockTemplateId);
  await messages.wait((message) => message.task_id === id && hasEnded(message));
  messages.close();
  const values: number[] = [];
  for (const { output, at } of messages.all) {
    const written = output?.match(/written at (\d+)[.,](\d+)/);
    if (written) values.push(at - Number(`${written[1]}.${written[2]}`) * 1000);
  }
  return [`from the process's write to the socket, ${CLOCK_LINES} lines`, times(values)];
}

async function waitForQuiet(lab: Lab): Promise<void> {
  for (;;) {
    const { body } = await lab.server.api("GET", `/api/project/${lab.projectId}/tasks/last`);
    const isOpen = ({ status }: { status: string }) => !hasEnded({ status } as never);
    if (!(body as { status: string }[]).some(isOpen)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function* measureHistory(lab: Lab): AsyncGenerator<Row> {
  await waitForQuiet(lab);
  const id = await startTask(lab, lab.localTemplateId);
  await waitForQuiet(lab);
  await lab.restart(async () => {
    await writeLongLog(lab.dataDir, lab.projectId, id, LONG_LOG);
    await writeHistory(lab.dataDir, await readTask(lab.dataDir, lab.projectId, id), HISTORY);
  });
  yield* measureSearch(lab, id, LONG_LOG);
  yield* measureRequests(lab, `, ${HISTORY.toLocaleString("en")} tasks of history`);
  await waitForQuiet(lab);
  yield* measureFilters(lab, HISTORY);
}

/** The parts of the benchmark in their order. */
const PARTS: Record<string, (lab: Lab) => AsyncIterable<Row>> = {
  memory: () => measureRest(),
  async *starts(lab) {
    yield await measureStarts(lab, "POST to running, playbook in a folder", lab.localTemplateId);
    yield await measureStarts(lab, "POST to running, playbook from git", lab.gitTemplateId);
    yield await measureQueue(lab);
  },
  async *output(lab) {
    yield await measureLines(lab);
    yield await measureDelay(lab);
  },
  async *live(lab) {
    yield await measureLivePages(lab);
  },
  requests: (lab) => measureRequests(lab, ""),
  history: measureHistory,
};

/** Measures the named parts and prints each figure as soon as it is known. */
async function bench(names: string[]): Promise<void> {
  await using lab = await newLab();
  for (const name of names) {
    for await (const row of PARTS[name](lab)) say(formatRow(row));
  }
}

/** Parts without a lab, measured only on request: results take nine minutes of CPU time. */
const ALONE: Record<string, () => AsyncIterable<Row>> = {
  results: measureResults,
  size: measureSize,
  scale: () => measureScale({ tasks: Number(values.tasks) }),
  runners: measureRunners,
  large: measureLarge,
  retention: measureRetention,
};

/** `--tasks`: number of tasks that the simulation of `scale` runs. */
const options = { tasks: { type: "string", default: "10000" } } as const;
const { values, positionals } = parseArgs({ args: Deno.args, options, allowPositionals: true });
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.find((name) => !(name in ALONE) && !(name in PARTS));
if (unknown) {
  say(
    `Unknown part "${unknown}". Parts: ${
      [...Object.keys(PARTS), ...Object.keys(ALONE)].join(", ")
    }.`,
  );
  Deno.exit(2);
}
say(formatRow());
for (const name of names.filter((name) => name in ALONE)) {
  for await (const row of ALONE[name]()) say(formatRow(row));
}
const others = names.filter((name) => !(name in ALONE));
if (others.length > 0) await bench(others);
