import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { outputsOf } from "@/lib/tasks/outputs.ts";
import { isFinished } from "@/lib/model/status.ts";
import { openRecorder } from "@/lib/queue/running/recorder.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newRemoteStage } from "@/tests/support/server/remote_stage.ts";
import { NOTHING_YET } from "@/tests/support/world/test_runner.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { play } from "@/tests/support/world/reported_task.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const TEMPLATE_VALUE = "{{ lookup('pipe','id') }}";
const asked = (name: string, type = "") => ({ name, title: name, type });
const SURVEY = ["output", "stats"].map((name) => asked(`callboard_stand_in_${name}`));

/** Starts a task whose play reports two outputs, and waits for its end. */
async function run(queue: Queue, template: number, environment: Record<string, string>) {
  const { world } = queue;
  const { status, body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: template,
    environment: JSON.stringify(environment),
  });
  assert.equal(status, 201, JSON.stringify(body));
  await until(async () => isFinished((await queue.row(body.id)).status));
  return body.id as number;
}

const read = async ({ world }: Queue, id: number) => {
  const { status, body } = await world.api(
    "carol",
    "GET",
    `/api/project/${world.web.id}/tasks/${id}/outputs`,
  );
  assert.equal(status, 200);
  return body;
};

const rowsOf = ({ world }: Queue) => Array.fromAsync(world.kv.list({ prefix: ["task_outputs"] }));

Deno.test("outputs are stored before the end, answered as text, and deleted with the task", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const template = await queue.makeTemplate({ survey_vars: SURVEY });
  queue.dispatch();
  const id = await run(queue, template, {
    callboard_stand_in_output: "file={{ evil",
    callboard_stand_in_stats: "1.2",
  });
  const expected = [{ name: "file", value: "{{ evil" }, { name: "stats", value: "1.2" }];
  assert.deepEqual(await read(queue, id), expected);
  const entries = await rowsOf(queue);
  const { versionstamp } = await world.kv.get(rowKeys.task(world.web.id, id));
  assert.ok(entries.every((entry) => entry.versionstamp < versionstamp!));
  const task = `/api/project/${world.web.id}/tasks/${id}`;
  assert.equal((await world.api("erin", "DELETE", task)).status, 204);
  assert.deepEqual(await rowsOf(queue), []);
});

Deno.test("a secret answer in an output is masked, and a comparison shows what differs", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const template = await queue.makeTemplate({
    survey_vars: [asked("callboard_stand_in_output", "secret"), SURVEY[1]],
  });
  queue.dispatch();
  const id = await run(queue, template, { callboard_stand_in_stats: "<b>1.2</b>" });
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: template,
    environment: JSON.stringify({ callboard_stand_in_stats: "s3cr=et-pin" }),
    secret: JSON.stringify({ callboard_stand_in_output: "s3cr=et-pin" }),
  });
  await until(async () => isFinished((await queue.row(body.id)).status));
  assert.deepEqual(await read(queue, body.id), [{ name: "stats", value: "***" }]);
  const page = `/project/${world.web.id}/templates/${template}/compare?a=${body.id}&b=${id}`;
  const html = await htmlOf(await world.get("carol", page));
  assert.match(html, /Output: stats/);
  assert.match(html, /&lt;b>1\.2&lt;\/b>/);
});

Deno.test("a server that dies at any moment stores no end without the outputs", async () => {
  await using world = await newWorld();
  let [ends, isAlive] = [0, false];
  for (let nth = 1; !isAlive; nth++) {
    for (const when of ["before", "after"] as const) {
      const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
        template_id: world.deploy.id,
      });
      const claimed = await advance(world.kv, { ...body, project_id: world.web.id }, "starting");
      const dying = dieAt(world.deps, nth, when);
      try {
        const { io, end } = await openRecorder(dying.deps, claimed);
        await io.onStarted();
        await io.onEvent({ type: "output", name: "version", value: "1" });
        await end({ end: "success", reason: null });
      } catch {
        // The server has died.
      }
      isAlive = !dying.died();
      const outputs = await outputsOf(world.kv, world.web.id, body.id);
      if ((await getTaskRow(world.kv, world.web.id, body.id)).status !== "success") continue;
      ends++;
      assert.deepEqual([...outputs], [["version", "1"]], `commit ${nth}, ${when}`);
    }
    assert.ok(nth < 30);
  }
  assert.ok(ends >= 3);
});

Deno.test("a runner's outputs are stored, also after its server was killed, and bounded", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const claimed = await runner.claim();
  assert.equal((await runner.open(claimed)).plan.keepsOutputs, true);
  const output = (name: string, value: string) => ({ type: "output" as const, name, value });
  const events = [play("Web"), output("version", TEMPLATE_VALUE), output("b", "2")];
  const hostile = [
    output("a-b", "1"),
    output("long", "x".repeat(32 * 1024 + 1)),
    ...Array.from({ length: 120 }, (_, n) => output(`n${n}`, "")),
  ];
  await runner.report(claimed, { events, state: { ...NOTHING_YET, started: true } });
  assert.deepEqual(await read(queue, id), []);
  world.deps.remote.runs.clear();
  const all = [...events, ...hostile];
  const outcome = { end: "success" as const, reason: null, lines: 0, events: all.length };
  const state = { ...NOTHING_YET, started: true, outcome };
  assert.equal((await runner.report(claimed, { events: all, state })).ended, true);
  const stored = await outputsOf(world.kv, world.web.id, id);
  assert.equal(stored.size, 100);
  assert.deepEqual([stored.get("version"), stored.get("b")], [TEMPLATE_VALUE, "2"]);
  assert.deepEqual(await outputsOf(world.kv, world.web.id + 1, id), new Map());
  const { body } = await world.api(
    "carol",
    "GET",
    `/api/project/${world.web.id}/tasks/${id}/results_summary`,
  );
  assert.equal(body.lost, 24);
});
