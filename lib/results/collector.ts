import type { LineRange } from "../execution/log/markers.ts";
import { type HostResult, RECAP_COUNTS, type RunEvent } from "../execution/run/events.ts";
import { gatheredFacts, resultContents } from "./contents.ts";
import { runOutline } from "./outline.ts";
import type { HostRow, PlayTaskRow, ResultHead, Row } from "./rows.ts";
import { changeLists, tiles } from "./cells.ts";

/** Maximum number of results. Further ones count as lost. */
const RESULTS_MAX = 500_000;

interface CollectorOptions {
  /** Bytes of module answers that may be stored; 0 for none. */
  fullBytesMax?: number;
  /** Whether the facts of hosts are needed. */
  keepsFacts?: boolean;
}

/** Collects the events of an execution into rows to be stored. */
export function resultCollector({ fullBytesMax = 0, keepsFacts = false }: CollectorOptions = {}) {
  const cells = tiles();
  const outline = runOutline(cells.has);
  const contents = resultContents(fullBytesMax);
  const changes = changeLists();
  const facts = gatheredFacts(keepsFacts);
  const run = emptyHead();
  const parts = { run, outline, contents, changes, cells };

  /** Collects an event. Returns false if there is no room for it. */
  function store(event: RunEvent): boolean {
    switch (event.type) {
      case "play":
        return outline.beginPlay(event);
      case "task":
        return outline.beginTask(event);
      case "line":
        outline.announce(event);
        return true;
      case "result":
        return addResult(parts, event);
      case "facts":
        return facts.add(outline.hosts.idOf(event.host), event.facts);
      case "include":
        outline.hosts.include(event.hosts, run.ended);
        return true;
      case "recap":
        outline.hosts.correct(event.hosts, run.ended);
        return true;
      case "lost":
      case "output":
        return true;
      case "end":
        run.complete = true;
        if (event.endedEarly) run.ended_early = true;
        if (event.checkMode) run.check_mode ??= event.checkMode;
        return true;
    }
  }

  return {
    take(event: RunEvent): void {
      if (run.began === 0 && "at" in event) run.began = event.at;
      run.ended = Math.max(run.ended, timeOf(event));
      run.lost += lostBy(event, run);
      if (!store(event)) run.lost++;
    },
    /** Returns the stored summary of the execution. */
    head(): ResultHead {
      const counts = { ...run.counts };
      return { ...run, counts, ...outline.sizes(), full_dropped: contents.dropped() };
    },
    /** Returns the rows that have changed since the last call. */
    async rows(): Promise<Row[]> {
      // Rows to which cells refer are stored before them, including those added while cells were
      // packed.
      const ofCells = await cells.rows();
      return [
        ...contents.rows(),
        ...facts.rows(),
        ...outline.rows(),
        ...ofCells,
        ...changes.rows(),
      ];
    },
  };
}

interface Parts {
  run: ResultHead;
  outline: ReturnType<typeof runOutline>;
  contents: ReturnType<typeof resultContents>;
  changes: ReturnType<typeof changeLists>;
  cells: ReturnType<typeof tiles>;
}

/** Adds a result. Returns false if there is no room for it. */
function addResult(
  { run, outline, contents, changes, cells }: Parts,
  reported: HostResult,
): boolean {
  const host = run.results < RESULTS_MAX ? outline.hosts.at(reported.host, reported.began) : null;
  const task = host && outline.taskOf(reported, host.id);
  if (!host || !task) return false;
  const result = { ...reported, carriedOut: reported.carriedOut && mayChange(task.action) };
  const lines = outline.linesOf(result);
  addToTask(task, host, result, lines);
  addToHost(host, result);
  outline.advanceTo(result.ended);
  run.results++;
  countOne(run.counts, result.status);
  const { isCut, ...numbers } = contents.add(result);
  if (isCut) run.cut++;
  if (result.changed) changes.add(task.id, numbers.diff, host.id, result.carriedOut);
  cells.set(task.id, host.id, { ...cellOf(result, run.began, lines), ...numbers });
  return true;
}

/**
 * Returns the number of lost events. An execution ends once, so a further end event adds nothing.
 */
function lostBy(event: RunEvent, { complete }: ResultHead): number {
  if (event.type === "lost") return event.count;
  return event.type === "end" && !complete ? event.lost : 0;
}

const cellOf = (result: HostResult, epoch: number, lines: LineRange | null) => ({
  status: result.status,
  began: Math.max(0, result.began - epoch),
  ms: result.ended - result.began,
  hidden: result.hidden,
  changed: result.changed,
  unchecked: result.unchecked,
  carried_out: result.carriedOut,
  items: result.items,
  line: lines?.from ?? null,
  last_line: lines?.to ?? null,
  diff_size: result.diff?.length ?? result.diffSize,
});

const timeOf = (event: RunEvent): number =>
  "at" in event ? event.at : event.type === "result" ? event.ended : 0;

const emptyHead = (): ResultHead => ({
  began: 0,
  ended: 0,
  plays: 0,
  tasks: 0,
  hosts: 0,
  results: 0,
  counts: {},
  lost: 0,
  cut: 0,
  complete: false,
});

/** Ansible actions that only read from a host, or do not reach one. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["add_host", "assert", "debug", "fail", "group_by", "meta", "pause", "set_fact", "set_stats"],
  ...["include_role", "include_tasks", "include_vars", "validate_argument_spec"],
  ...["find", "gather_facts", "getent", "package_facts", "ping", "service_facts", "setup", "slurp"],
  ...["stat", "wait_for", "wait_for_connection"],
]);

const OWN = /^ansible\.(?:builtin|legacy)\./;

/** Whether an action may change a host, or anything else outside of the task. */
const mayChange = (action: string): boolean => !HARMLESS.has(action.replace(OWN, ""));

/** Increments the count of a name. */
function countOne<K extends string>(counts: Partial<Record<K, number>>, name: K): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Counts a result for its Ansible task. */
function addToTask(
  task: PlayTaskRow,
  host: HostRow,
  { status, unchecked, carriedOut, changed, began, ended }: HostResult,
  lines: LineRange | null,
): void {
  countOne(task.counts, status);
  if (unchecked) task.unchecked = (task.unchecked ?? 0) + 1;
  if (carriedOut) task.carried_out = (task.carried_out ?? 0) + 1;
  if (carriedOut && changed) task.carried_out_changed = (task.carried_out_changed ?? 0) + 1;
  task.ended = Math.max(task.ended, ended);
  if (lines) {
    task.line ??= lines.from;
    task.last_line = Math.max(task.last_line ?? 0, lines.to);
  }
  const ms = ended - began;
  if (!task.slowest || ms > task.slowest.ms) task.slowest = { host: host.id, ms };
}

/**
 * Counts a result for its host, as Ansible's recap does. Changed results and ignored failures also
 * count as ok. Included files are not counted.
 */
function addToHost(
  host: HostRow,
  { status, changed, carriedOut, unchecked, began, ended }: HostResult,
): void {
  host.began = Math.min(host.began, began);
  host.ended = Math.max(host.ended, ended);
  host.busy_ms = Math.min(host.busy_ms + ended - began, Number.MAX_SAFE_INTEGER);
  if (unchecked) host.unchecked = (host.unchecked ?? 0) + 1;
  const isOk = status === "ok" || status === "changed" || status === "ignored";
  if (isOk) host.ok++;
  if (isOk && changed) host.changed++;
  if (isOk && changed && carriedOut) host.carried_out = (host.carried_out ?? 0) + 1;
  const other = RECAP_COUNTS.find((name) => name === status && name !== "ok" && name !== "changed");
  if (other) host[other]++;
}
