import assert from "node:assert/strict";
import { readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import { autorunWorker } from "@/lib/queue/start/autorun.ts";
import { listTemplateTasks } from "@/lib/tasks/repository.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { outbox } from "@/tests/support/services/alerting.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { schedule } from "@/tests/support/world/schedules.ts";
import { until } from "@/tests/support/basics/until.ts";

const alerts = readAlertSettings(
  (name) => name === "CALLBOARD_WEBHOOK_URL" ? "https://alerts.example.com/" : undefined,
  (name, must) => assert.fail(`${name} ${must}`),
);

/** Returns the only task of a template, as soon as it waits to be confirmed. */
async function waitingTask({ world: { kv, web } }: Queue, template: number): Promise<TaskRow> {
  let task: TaskRow | undefined;
  await until(async () => {
    [task] = await listTemplateTasks(kv, web.id, template, { limit: 1 });
    return task?.status === "waiting_confirmation";
  }, 20_000);
  return task!;
}

/** Whether a message says that a task waits. */
async function isTold({ world }: Queue, { id }: TaskRow): Promise<boolean> {
  return (await outbox(world)).some((row) =>
    row.kind === "task" && row.task_id === id && row.status === "waiting_confirmation"
  );
}

async function post({ world }: Queue, path: string, body: unknown = {}) {
  const answer = await world.api("alice", "POST", `/api/project/${world.web.id}/${path}`, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

Deno.test("a task of a schedule, a webhook or a build is previewed, waits, and is reported", async () => {
  await using queue = await newQueue({ config: { alerts } });
  const { world } = queue;
  await using stack = new AsyncDisposableStack();
  queue.dispatch();
  const autoruns = startJobs(world.deps, [autorunWorker], { shared: false });
  stack.defer(() => autoruns.stop());
  const previewed = (name: string, more = {}) =>
    queue.makeTemplate({ name, preview_first: true, ...more });

  const nightly = await previewed("Nightly");
  const cron = { name: "Often", cron_format: "* * * * *", active: true };
  await post(queue, "schedules", { ...cron, template_id: nightly });
  await schedule(world, new Date(world.clock.now().getTime() + 60_000));

  const pushed = await previewed("Pushed");
  const { id } = await post(queue, "integrations", { name: "Push", template_id: pushed });
  const { url } = await post(queue, `integrations/${id}/aliases`);
  const call = await world.request(new URL(url).pathname, { method: "POST" });
  assert.ok(call.ok, String(call.status));
  await call.body?.cancel();

  const build = await queue.makeTemplate({ name: "Build", type: "build", start_version: "1" });
  const deploy = { type: "deploy", build_template_id: build, autorun: true };
  const deployed = await previewed("Deploy", deploy);
  await queue.start(build);

  const starters: (keyof TaskRow)[] = ["schedule_id", "integration_id", "build_task_id"];
  for (const [n, template] of [nightly, pushed, deployed].entries()) {
    const task = await waitingTask(queue, template);
    assert.ok(task[starters[n]], starters[n]);
    assert.ok(task.preview?.made, "it was previewed");
    assert.ok(await isTold(queue, task), task.template_name);
  }
});

Deno.test("a preview that waits on one server is reviewed and confirmed on another", async () => {
  await using queue = await newQueue({ elsewhere: true });
  const { world } = queue;
  queue.dispatch();
  const template = await queue.makeTemplate({ preview_first: true });
  await queue.start(template);
  const { id } = await waitingTask(queue, template);
  const path = `/project/${world.web.id}/tasks/${id}`;
  const html = await htmlOf(await world.get("bob", `${path}/review`));
  assert.match(html, new RegExp(`action="${path}/confirm"`));
  assert.equal((await world.post("bob", `${path}/confirm`, {})).status, 303);
  assert.equal((await world.api("bob", "POST", `/api${path}/confirm`)).status, 409);
  await until(async () => (await queue.row(id)).status === "success");
  assert.equal((await queue.row(id)).preview?.confirmed_by, "Bob");
});
