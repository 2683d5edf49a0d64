import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { isFinished, STATUSES } from "../../model/status.ts";

/** Buckets in seconds, from a start that no one notices to one that people complain about. */
const START_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800];
const RUN_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of this server in a registry of their own. A label has few values, and never
 * those of a request. Counters are of this server alone.
 */
export function createMetrics() {
  const registry = new Registry();
  const make = makersIn(registry);
  return {
    registry,
    ...createTaskMetrics(make),
    ...createProcessMetrics(make),
    ...createRunnerMetrics(make),
    ...createJobMetrics(make),
    ...createStoreMetrics(make),
  };
}

/** Returns functions that create metrics in a registry. */
function makersIn(registry: Registry) {
  const registers = [registry];
  return {
    gauge: (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name: `callboard_${name}`, help, labelNames, registers }),
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `callboard_${name}`, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      new Histogram({ name: `callboard_${name}`, help, buckets, labelNames, registers }),
  };
}
type Makers = ReturnType<typeof makersIn>;

function createTaskMetrics({ gauge, counter, histogram }: Makers) {
  const taskEnds = counter(
    "tasks_ended_total",
    "Tasks finished on this server, by final status",
    "status",
  );
  // A counter that begins with its first event would hide this event from `increase()`.
  for (const status of STATUSES.filter(isFinished)) taskEnds.inc({ status }, 0);
  return {
    tasks: gauge("tasks", "Unfinished tasks of all servers, by status", "status"),
    oldestWait: gauge(
      "queue_oldest_wait_seconds",
      "Time since the oldest waiting task was created",
    ),
    taskWaits: histogram(
      "task_wait_seconds",
      "Time from a task's creation until this server took it from the queue",
      START_SECONDS,
    ),
    taskStarts: histogram(
      "task_start_seconds",
      "Time from a task's creation to the start of its run, including the wait for its turn",
      START_SECONDS,
    ),
    taskRuns: histogram(
      "task_run_seconds",
      "Time from the start of a task's run to its end",
      RUN_SECONDS,
    ),
    taskEnds,
    templateEnds: counter(
      "template_tasks_ended_total",
      "Tasks finished on this server, by IDs of project and template, and final status. " +
        "Templates after the first 200 are counted as template 0",
      ...["project", "template", "status"],
    ),
    hostsDrifted: gauge(
      "hosts_drifted",
      "Hosts that differ from what a template describes, by IDs of project and template, without " +
        "accepted differences. At most 200 templates",
      ...["project", "template"],
    ),
    slotsUsed: gauge("slots_used", "Tasks that this server runs"),
    slotsLimit: gauge(
      "slots_limit",
      "Tasks that this server may run in parallel; +Inf without a limit",
    ),
    logLines: counter("log_lines_total", "Lines of output stored by this server"),
    logBytes: counter("log_bytes_total", "Bytes of output stored by this server"),
    scheduleLag: gauge("schedule_lag_seconds", "Time since the oldest due run of a schedule"),
    alertsQueued: gauge("alerts_queued", "Alerts waiting to be sent"),
    alertLag: gauge("alert_lag_seconds", "Time since the oldest waiting alert was due"),
    auditLag: gauge(
      "audit_lag_seconds",
      "Time since the oldest event that a receiver of the audit log has not confirmed",
      "receiver",
    ),
    alertAttempts: counter(
      "alert_attempts_total",
      "Attempts of this server to send an alert, by channel and result: " +
        "sent, failed (another attempt follows) or abandoned",
      ...["channel", "result"],
    ),
  };
}

/** States of runners, as metrics count them. A silent runner is counted as nothing else. */
export const RUNNER_MEASURES = ["unregistered", "silent", "active", "paused", "draining"] as const;
export type RunnerMeasure = (typeof RUNNER_MEASURES)[number];

const createRunnerMetrics = ({ gauge }: Makers) => ({
  runners: gauge("runners", "Runners of all projects and of the server, by state", "state"),
  runnerSeen: gauge(
    "runner_last_seen_timestamp_seconds",
    "Time when a runner was last seen, by its ID, its name and the ID of its project (0 for the " +
      "server). Draining runners are left out",
    ...["runner", "name", "project"],
  ),
});

const createJobMetrics = ({ gauge, counter }: Makers) => ({
  jobAttempts: counter(
    "job_attempts_total",
    "Attempts of this server at background work, by kind and result: " +
      "done, failed (another attempt may follow) or set_aside",
    ...["kind", "result"],
  ),
  jobs: {
    waiting: gauge("jobs_waiting", "Background work that is due now or later, by kind", "kind"),
    running: gauge("jobs_running", "Background work that a server does now, by kind", "kind"),
    late: gauge(
      "jobs_late",
      "Background work that has been due for more than a minute and does not run, by kind",
      "kind",
    ),
    set_aside: gauge(
      "jobs_set_aside",
      "Background work that was set aside after its last attempt, by kind",
      "kind",
    ),
  },
});

function createProcessMetrics({ gauge, counter, histogram }: Makers) {
  return {
    build: gauge(
      "build_info",
      "Versions of this server, as labels; always 1",
      ...["version", "deno", "ansible"],
    ),
    requests: counter(
      "http_requests_total",
      "Responses to requests, by method and status code",
      ...["method", "code"],
    ),
    requestSeconds: histogram(
      "http_request_seconds",
      "Time from a request to the beginning of its response. Streams count until they begin",
      REQUEST_SECONDS,
      "kind",
    ),
    loopDelay: histogram(
      "event_loop_delay_seconds",
      "Delay of a timer, because this process was busy. Measured twice per second",
      DELAY_SECONDS,
    ),
    loopStill: gauge(
      "loop_still_seconds",
      "Time since a background loop of this server last moved on, " +
        "if it takes longer than it should",
      "loop",
    ),
    memory: gauge("memory_bytes", "Resident memory of this server's process"),
    cpu: counter("cpu_seconds_total", "CPU time of this server's process, without its tasks"),
    started: gauge("start_time_seconds", "Start time of this server's process"),
  };
}

function createStoreMetrics({ gauge, counter, histogram }: Makers) {
  return {
    storeUp: gauge("store_up", "1 if the store responds to this server, otherwise 0"),
    storeSeconds: histogram(
      "store_operation_seconds",
      "Duration of single reads and of writes of the store. Lists are not measured",
      STORE_SECONDS,
      "operation",
    ),
    storeErrors: counter(
      "store_errors_total",
      "Single reads and writes of the store that failed",
      "operation",
    ),
    storeBytes: gauge("store_size_bytes", "Size of the database file with its log"),
    diskFree: gauge("disk_free_bytes", "Free space on the disk of the data folder"),
    diskSize: gauge("disk_size_bytes", "Size of the disk of the data folder"),
    lastBackup: gauge(
      "last_backup_timestamp_seconds",
      "Time of the latest backup of this server; 0 if there is none",
    ),
    backupStepTime: gauge(
      "backup_step_timestamp_seconds",
      "Time of the latest outcome of what belongs to automatic backups, by step: backup, upload, " +
        "command, test",
      "step",
    ),
    backupStepFailed: gauge(
      "backup_step_failed",
      "1 if the latest outcome of the step was a failure, otherwise 0",
      "step",
    ),
    maintenance: gauge(
      "maintenance",
      "1 while the server is in maintenance, read only and starting no tasks, otherwise 0",
    ),
    upgrading: gauge("upgrade_running", "1 while this server upgrades the store, otherwise 0"),
  };
}
