import assert from "node:assert/strict";
import type { Sentence } from "@/lib/base/errors.ts";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { openRecorder } from "@/lib/queue/running/recorder.ts";
import { transact } from "@/lib/store/transact.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { updateScheduleRow } from "@/lib/triggers/schedules/repository.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { play, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const SSH = "Failed to connect to the host via ssh: ";
const CHANGED = `${SSH}WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\r
Host key for [10.0.0.7]:2222 has changed and you have requested strict checking.\r
Host key verification failed.`;

/** Runs a check whose host is as `said`, as the latest one of a schedule. */
async function check(world: World, schedule: number, said: Partial<HostResult>, reason: Sentence) {
  const { kv, web, deploy } = world;
  const started = await world.api(
    "bob",
    "POST",
    `/api/project/${web.id}/templates/${deploy.id}/check`,
  );
  const { id } = started.body;
  await transact(kv, (op) =>
    updateScheduleRow(kv, op, web.id, schedule, (row) => ({
      ...row,
      last_task_id: id,
    })));
  await advance(kv, { id, project_id: web.id }, "starting");
  const recorder = await openRecorder(world.deps, await getTaskRow(kv, web.id, id));
  await recorder.io.onStarted();
  await recorder.io.onEvent(play("Web"));
  await recorder.io.onEvent(task("ping"));
  await recorder.io.onEvent(result("ping", "web1", said));
  await recorder.end({ end: "error", reason });
}

Deno.test("a check that cannot reach a host, whatever its key, is not a failing schedule", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const list = `/api/project/${web.id}/schedules`;
  const body = { name: "Watch", template_id: deploy.id, cron_format: "@hourly", active: true };
  const made = await world.api("alice", "POST", list, { ...body, check: true });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body;
  const isFailing = async () => {
    const html = await htmlOf(await world.get("bob", `/project/${web.id}/schedules`));
    const marked = /failing schedule/.test(html);
    assert.equal(
      /data-status="(error|unreachable)"/.test(/<tbody.*<\/tbody>/s.exec(html)![0]),
      marked,
      "its badge",
    );
    return marked;
  };
  const ended = { key: "errors.run.only_unreachable", params: { unreachable: 1, hosts: 1 } };
  for (
    const message of [
      `${SSH}connect to host 10.0.0.7 port 22: No route to host`,
      CHANGED,
      `${SSH}No ED25519 host key is known for 10.0.0.8 and you have requested strict checking.`,
      `${SSH}Host key verification failed.`,
    ]
  ) {
    await check(world, id, { status: "unreachable", message }, ended);
    assert.equal(await isFailing(), false, message);
  }
  // The key of the host of the repository has changed, so nothing was checked.
  const git = { key: "errors.run.host_key_changed", params: { host: "git.example.com" } };
  await check(world, id, {}, git);
  assert.equal(await isFailing(), true);
});
