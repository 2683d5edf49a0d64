import { parseExact } from "../../base/text/exact_json.ts";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { AppError } from "../../base/errors.ts";
import { readBytes } from "../../http/body.ts";
import { parseJson, parseWith } from "../../base/parse.ts";
import { inTurn } from "../../store/transact.ts";
import {
  REPORT_BYTES_MAX,
  type ReportAnswer,
  type ReportRequest,
  reportRequestSchema,
} from "../../runner/protocol.ts";
import { authenticateRunner, requireProtocol, tooManyCalls } from "../../runners/authenticate.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import { findOpenTask, type OpenTask } from "../../tasks/open_tasks.ts";
import { findTask } from "../../model/tasks.ts";
import { keepRunnerLease, requestedStop } from "./lease.ts";
import { isFenced, type LiveRun, openLiveRun } from "./live_run.ts";
import { ownerName } from "../../tasks/waiting/runner_owner.ts";
import type { RunnerDeps } from "./remote.ts";
import { findRemoteRun } from "./rows.ts";

/**
 * Takes a report of a runner about one of its runs. A run that the server does not know any more is
 * answered with the stop "gone". Throws 421 if another server takes the reports of this run.
 */
export async function takeReport(
  deps: RunnerDeps,
  req: Pick<Request, "headers" | "body">,
  taskId: number,
): Promise<ReportAnswer> {
  requireProtocol(req.headers);
  const runner = await authenticateRunner(deps, req.headers);
  return await withReport(deps, runner, async () => {
    const bytes = await readBytes(req, REPORT_BYTES_MAX);
    // Unpacked ones are large. A report that is sent again waits until the earlier one is done.
    return await inTurn(deps.kv, `report ${runner.id} ${taskId}`, async () => {
      const report = parseWith(reportRequestSchema, parseJson(await unzipped(bytes), parseExact));
      return await store(deps, runner, taskId, report);
    });
  });
}

/** Reports of a runner that may arrive at the same time. It sends one for each of its runs. */
const REPORTS_AT_ONCE = 100;

async function withReport<T>(
  { remote: { reports } }: RunnerDeps,
  { id }: RunnerRow,
  take: () => Promise<T>,
): Promise<T> {
  const count = reports.get(id) ?? 0;
  if (count >= REPORTS_AT_ONCE) throw tooManyCalls(1);
  reports.set(id, count + 1);
  try {
    return await take();
  } finally {
    const left = reports.get(id)! - 1;
    if (left > 0) reports.set(id, left);
    else reports.delete(id);
  }
}

async function store(
  deps: RunnerDeps,
  runner: RunnerRow,
  taskId: number,
  report: ReportRequest,
): Promise<ReportAnswer> {
  const name = `remote run ${taskId}`;
  const found = await inTurn(deps.kv, name, () => findLiveRun(deps, runner, taskId, report));
  if (!found) return gone(report);
  const { live, open } = found;
  try {
    return await answer(deps, live, open, report);
  } catch (error) {
    // It may have stored a part of the report. The next report starts from what is stored.
    if (deps.remote.runs.get(taskId) === live) deps.remote.runs.delete(taskId);
    throw isFenced(error) ? otherServer() : error;
  }
}

/** Returns the text of a body, which is compressed unless a proxy has already unpacked it. */
async function unzipped(bytes: Uint8Array): Promise<string> {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new TextDecoder().decode(isZipped ? await unzip(bytes) : bytes);
}

async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: UNZIPPED_BYTES_MAX });
  } catch {
    throw new AppError(400, "errors.invalid_json");
  }
}

/** Reading JSON blocks the server. Runners send fewer bytes, and the first record at any size. */
const UNZIPPED_BYTES_MAX = 2 * REPORT_BYTES_MAX;

const otherServer = () => new AppError(421, "errors.runners.other_server");

const gone = ({ lines_from, lines, events_from, events }: ReportRequest): ReportAnswer => ({
  lines: lines_from + lines.length,
  events: events_from + events.length,
  stored_lines: lines_from + lines.length,
  stop: "gone",
  ended: true,
});

/**
 * Returns the run that a report is about. Takes it over if no server takes its reports, or on
 * demand. Returns null if the runner's process has no such run.
 */
async function findLiveRun(
  deps: RunnerDeps,
  { id: runnerId }: RunnerRow,
  taskId: number,
  { run, session, take_over }: ReportRequest,
): Promise<{ live: LiveRun; open: OpenTask } | null> {
  const { kv, remote: { runs, server, shared } } = deps;
  const [entry, open] = await Promise.all([findRemoteRun(kv, taskId), findOpenTask(kv, taskId)]);
  const isOwn = entry !== null && entry.value.run === run &&
    open?.lease?.owner === ownerName({ runnerId, session });
  if (!isOwn || entry.value.lines_before === null) return null;
  await keepRunnerLease(deps, open);
  const known = runs.get(taskId);
  if (known?.run === run && entry.value.server === server) return { live: known, open };
  if (shared && entry.value.server !== server && !take_over) throw otherServer();
  const task = await findTask(kv, open.project_id, taskId);
  if (!task) return null;
  const taken = await kv.atomic().check(entry).set(entry.key, { ...entry.value, server }).commit();
  if (!taken.ok) throw otherServer();
  const live = await openLiveRun(deps, task, run, entry.value.lines_before);
  runs.set(taskId, live);
  return { live, open };
}

async function answer(
  deps: RunnerDeps,
  live: LiveRun,
  open: OpenTask,
  report: ReportRequest,
): Promise<ReportAnswer> {
  const ended = await live.take(report);
  if (ended) deps.remote.runs.delete(open.id);
  const { lines, events, storedLines } = live.taken();
  const stop = ended ? null : await requestedStop(deps.kv, open);
  return { lines, events, stored_lines: storedLines, stop, ended };
}
