import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Buckets in seconds, from a start that no one notices to one that people complain about. */
const START_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];
const RUN_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of this server in a registry of their own. */
export function createMetrics() {
  const registers = [new Registry()];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  return {
    registry: registers[0],
    taskStarts: new Histogram({
      name: "callboard_task_start_seconds",
      help: "Time from a task's creation to the start of its run, including the wait for its turn",
      buckets: START_SECONDS,
      registers,
    }),
    taskRuns: new Histogram({
      name: "callboard_task_run_seconds",
      help: "Time from the start of a task's run to its end",
      buckets: RUN_SECONDS,
      registers,
    }),
    taskEnds: new Counter({
      name: "callboard_tasks_ended_total",
      help: "Tasks finished on this server, by final status",
      labelNames: ["status"],
      registers,
    }),
    logLines: counter("callboard_log_lines_total", "Lines of output stored by this server"),
    logBytes: counter("callboard_log_bytes_total", "Bytes of output stored by this server"),
    queued: gauge("callboard_tasks_queued", "Tasks waiting for their turn"),
    running: gauge("callboard_tasks_running", "Tasks starting, running or stopping"),
    unconfirmed: gauge("callboard_tasks_unconfirmed", "Tasks waiting for confirmation"),
    queueWait: gauge(
      "callboard_queue_wait_seconds",
      "Time since the oldest waiting task was created",
    ),
    scheduleLag: gauge(
      "callboard_schedule_lag_seconds",
      "Time since the oldest due run of a schedule",
    ),
    alertsQueued: gauge("callboard_alerts_queued", "Alerts waiting to be sent"),
    alertLag: gauge("callboard_alert_lag_seconds", "Time since the oldest waiting alert was due"),
    storeLatency: new Gauge({
      name: "callboard_store_latency_seconds",
      help: "Duration of one read and one write of the store, measured just now",
      labelNames: ["operation"],
      registers,
    }),
    lastBackup: gauge(
      "callboard_last_backup_timestamp_seconds",
      "Time of the latest backup of this server; 0 if there is none",
    ),
    memory: gauge("callboard_memory_bytes", "Resident memory of this server's process"),
    started: gauge("callboard_start_time_seconds", "Start time of this server's process"),
  };
}
