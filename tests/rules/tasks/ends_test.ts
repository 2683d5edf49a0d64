import assert from "node:assert/strict";
import type { JobRow } from "@/lib/jobs/rows.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { getLogHead } from "@/lib/output/store.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { endAbandoned, FAILED, INTERRUPTED, SERVER_GONE } from "@/lib/queue/ending/interrupt.ts";
import { rejectTask } from "@/lib/queue/approvals/confirm.ts";
import { stopTask } from "@/lib/queue/ending/stop.ts";
import { openProject } from "@/lib/access/scope.ts";
import { listOpenTasks } from "@/lib/tasks/open_tasks.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { previewedTask } from "@/tests/support/world/previewed_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const alerts = readAlertSettings(
  (name) => name === "CALLBOARD_WEBHOOK_URL" ? "https://alerts.example.com/" : undefined,
  (name, must) => assert.fail(`${name} ${must}`),
);

/** One way in which a task ends, and what is stored with the end. */
interface Case {
  how: string;
  begin(world: World): Promise<TaskRow>;
  end(deps: Deps, task: TaskRow, world: World): Promise<unknown>;
  /** Ends the task if a server has died meanwhile. */
  recover?(deps: Deps, task: TaskRow): Promise<unknown>;
  status: string;
  reason: string | null;
  event: string;
  /** Kinds of rows for what is done later. */
  queued: string[];
}

async function waiting({ api, web, deploy, kv }: World): Promise<TaskRow> {
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  return await getTaskRow(kv, web.id, body.id);
}

async function running(world: World): Promise<TaskRow> {
  const task = await waiting(world);
  await advance(world.kv, task, "starting");
  return await advance(world.kv, task, "running");
}

async function previewed(world: World): Promise<TaskRow> {
  return await getTaskRow(world.kv, world.web.id, (await previewedTask(world)).id);
}

const logOf = (deps: Deps, task: TaskRow) =>
  createLogWriter({ ...deps, projectId: task.project_id, taskId: task.id });

const scopeOf = (deps: Deps, { people, web }: World) =>
  openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks");

const abandon = async (deps: Deps, { id }: TaskRow, how: "error" | "interrupted" | "lost") => {
  const open = (await listOpenTasks(deps.kv)).find((task) => task.id === id);
  const reasons = { error: FAILED, interrupted: INTERRUPTED, lost: SERVER_GONE };
  if (open) await endAbandoned(deps, open, reasons[how]);
};

const recover = (deps: Deps, task: TaskRow) => abandon(deps, task, "interrupted");

const CASES: Case[] = [
  {
    how: "succeeds",
    begin: running,
    end: (deps, task) => endTask(deps, task, { how: "success", log: logOf(deps, task) }),
    recover,
    status: "success",
    reason: null,
    event: "finished_success",
    queued: ["alerts", "drift", "hosts"],
  },
  {
    how: "fails",
    begin: running,
    end: (deps, task) =>
      endTask(deps, task, { how: "error", reason: { key: "a" }, log: logOf(deps, task) }),
    recover,
    status: "error",
    reason: "a",
    event: "finished_error",
    queued: ["alerts", "drift", "hosts"],
  },
  {
    how: "is stopped while it runs, whatever its outcome",
    async begin(world) {
      const task = await running(world);
      return await advance(world.kv, task, "stopping", { stop: "stop" });
    },
    end: (deps, task) => endTask(deps, task, { how: "success", log: logOf(deps, task) }),
    recover,
    status: "stopped",
    reason: null,
    event: "finished_stopped",
    queued: ["drift", "hosts"],
  },
  {
    how: "is stopped while it waits",
    begin: waiting,
    end: async (deps, task, world) => stopTask(await scopeOf(deps, world), task.id, false),
    status: "stopped",
    reason: "errors.run.stopped",
    event: "finished_stopped",
    queued: [],
  },
  {
    how: "is rejected",
    begin: previewed,
    end: async (deps, task, world) => rejectTask(await scopeOf(deps, world), task.id),
    status: "stopped",
    reason: "errors.run.rejected",
    event: "rejected",
    // Reports that it waits.
    queued: ["alerts"],
  },
  {
    how: "is interrupted by a restart",
    begin: running,
    end: (deps, task) => abandon(deps, task, "interrupted"),
    recover,
    status: "error",
    reason: "errors.run.interrupted",
    event: "finished_error",
    queued: ["alerts", "drift", "hosts"],
  },
  {
    how: "is lost by its server",
    begin: running,
    end: (deps, task) => abandon(deps, task, "lost"),
    recover,
    status: "error",
    reason: "errors.run.server_gone",
    event: "finished_error",
    queued: ["alerts", "drift", "hosts"],
  },
];

/** Everything that the end of a task stores beside the task. */
async function traces({ kv, web }: World, { id }: TaskRow) {
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  const jobs = rows.filter(({ key, value }) =>
    key[0] === "jobs" && (value as JobRow<{ task_id?: number }>).input.task_id === id
  );
  const events = rows.filter(({ key }) => key[0] === "events" && key[1] === web.id)
    .map(({ value }) => value as { object_id: number; action: string })
    .filter(({ object_id, action }) => object_id === id && /^(finished_|rejected)/.test(action));
  return {
    events: events.map(({ action }) => action),
    queued: jobs.map(({ key }) => key[1]).toSorted(),
    isOpen: rows.some(({ key }) => key[0] === "open_tasks" && key[1] === id),
    closed: (await getLogHead(kv, id)).closed,
  };
}

for (const { how, begin, end, recover, status, reason, event, queued } of CASES) {
  Deno.test(`a task that ${how} ends once, with all that follows, and wakes the queue`, async () => {
    await using world = await newWorld({ config: { alerts } });
    const task = await begin(world);
    let woken = 0;
    const deps = { ...world.deps, wakeDispatcher: () => void woken++ };
    await end(deps, task, world);
    const row = await getTaskRow(world.kv, world.web.id, task.id);
    assert.equal(row.status, status);
    assert.equal(row.end_reason?.key ?? null, reason);
    assert.ok(row.end);
    assert.deepEqual(await traces(world, task), {
      events: [event],
      queued,
      isOpen: false,
      closed: true,
    });
    assert.equal(woken, 1);
    const { value } = await world.kv.get<Deno.KvU64>(
      [...rowKeys.runsByDay(world.web.id, 0, 0), row.created.slice(0, 10), status],
    );
    assert.equal(value?.value, 1n);
  });

  Deno.test(`a server that dies at any moment while a task ${how} loses nothing of the end`, async () => {
    for (let nth = 1, alive = false; !alive; nth++) {
      for (const when of ["before", "after"] as const) {
        await using world = await newWorld({ config: { alerts } });
        const task = await begin(world);
        const dying = dieAt(world.deps, nth, when);
        await Promise.resolve(end(dying.deps, task, world)).catch(() => {});
        alive = !dying.died();
        const before = await traces(world, task);
        // The end is stored with all that belongs to it, or not at all.
        const isEnded = !before.isOpen;
        assert.equal(before.events.length, isEnded ? 1 : 0, `commit ${nth}, ${when}`);
        assert.equal(before.closed, isEnded);
        if (!isEnded) await (recover ?? end)(world.deps, task, world);
        const after = await traces(world, task);
        assert.equal(after.isOpen, false, `commit ${nth}, ${when}`);
        assert.equal(after.events.length, 1);
        assert.equal(after.closed, true);
      }
      assert.ok(nth < 20);
    }
  });
}
