import assert from "node:assert/strict";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { transact } from "@/lib/store/transact.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import { updateScheduleRow } from "@/lib/triggers/schedules/repository.ts";
import { writeHistory } from "./history.ts";
import type { World } from "./world.ts";

const MINUTE_MS = 60_000;

/**
 * Fills the web project: 2 tasks to confirm, 2 running, 4 waiting behind them, 16 new failures, and
 * five schedules.
 */
export async function makeBusyDashboard(world: World) {
  const { kv, web, deps: { clock } } = world;
  const path = `/api/project/${web.id}`;
  const make = async (kind: string, body: object): Promise<number> => {
    const answer = await world.api("alice", "POST", `${path}/${kind}`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  await world.api("alice", "PUT", path, { name: "Web shop", max_parallel_tasks: 2 });
  const { body: model } = await world.api("alice", "GET", `${path}/templates/${world.deploy.id}`);
  const template = (name: string, more: object = {}) =>
    make("templates", { ...model, id: 0, name, allow_parallel_tasks: true, ...more });
  const start = (template_id: number, message = "") => make("tasks", { template_id, message });
  const logs = await template("Check log files");
  const certificates = await template("Renew certificates");
  const asked = await template("Change database parameters", { require_confirmation: true });

  const running = [await start(logs, "release 2026.11.3"), await start(certificates)];
  for (const id of running) {
    const task = { id, project_id: web.id };
    await advance(kv, task, "starting", { start: clock.now().toISOString() });
    await advance(kv, task, "running");
  }
  const row = await getTaskRow(kv, web.id, running[0]);
  const ago = (minutes: number) =>
    new Date(clock.now().getTime() - minutes * MINUTE_MS).toISOString();
  const failures = await writeHistory(
    kv,
    row,
    Array.from({ length: 16 }, (_, n) => ({
      status: "error",
      message: "after the certificate renewal",
      created: ago(40 - n),
      start: ago(40 - n),
      end: ago(39 - n),
      end_reason: {
        key: "errors.run.hosts_failed",
        params: { failed: 1, unreachable: 0, hosts: 6 },
      },
    })),
  );
  const confirming = [await start(asked, "after the power cut"), await start(asked)];
  const waiting: number[] = [];
  for (let n = 0; n < 4; n++) waiting.push(await start(n % 2 ? logs : certificates, "try again"));

  const schedules: number[] = [];
  const names = ["Every minute", "Nightly backup", "Weekdays, office hours", "Weekly", "Monthly"];
  const times = ["* * * * *", "0 3 * * *", "0 8 * * 1-5", "0 0 * * 0", "0 0 1 * *"];
  for (const [n, name] of names.entries()) {
    const template_id = n % 2 ? logs : certificates;
    schedules.push(
      await make("schedules", { name, template_id, cron_format: times[n], active: true }),
    );
  }
  return {
    running,
    confirming,
    waiting,
    schedules,
    failures: failures.map(({ id }) => id),
    /** Makes a task the last one of a schedule. */
    async belongsTo(id: number, schedule: number) {
      await amendTask(kv, { id, project_id: web.id }, { schedule_id: schedule });
      await transact(
        kv,
        (op) =>
          updateScheduleRow(kv, op, web.id, schedule, (row) => ({ ...row, last_task_id: id })),
      );
    },
  };
}
