import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { createResultWriter } from "@/lib/results/writer.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { taskMessage } from "@/lib/alerts/message.ts";
import type { ProjectRow } from "@/lib/model/project_row.ts";
import { htmlOf, sentForm } from "@/tests/support/basics/html.ts";
import { changeTemplate, previewedTask } from "@/tests/support/world/previewed_task.ts";
import { play, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { isCertainNoOp } from "@/lib/previews/predictions.ts";

/** Returns a page up to a text, because a task's page goes on until the task has ended. */
async function beginningOf(answer: Response, text: string): Promise<string> {
  let html = "";
  for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
    html += part;
    if (html.includes(text)) break;
  }
  return html;
}

Deno.test("people who may confirm a run see its input and changes, and guests cannot confirm it", async () => {
  await using world = await newWorld();
  const { page, path, id } = await previewedTask(world);
  const html = await htmlOf(await world.get("bob", `${page}/review`));
  assert.match(html, /2 of 3 hosts would change\./);
  assert.match(html, /Please &lt;look>/);
  assert.equal(html.match(/&lt;old>/g)?.length, 1, "the same change is told once");
  assert.match(html, /change-hosts"><a [^>]*>web<\/a><a [^>]*>db<\/a>/);
  assert.match(html, /Task b \(<code>command<\/code>\), on 1 host/);
  assert.match(html, /Secret answers: token/);
  assert.doesNotMatch(html, /never-to-be-shown/);
  assert.deepEqual(sentForm(html, `${page}/confirm`), { back: page, note: "" });
  assert.ok(html.includes(`formaction="${page}/reject"`));
  const looking = await htmlOf(await world.get("carol", `${page}/review`));
  assert.match(looking, /2 of 3 hosts would change\./);
  assert.doesNotMatch(looking, /action="[^"]*\/(confirm|reject)"/);
  assert.equal((await world.get("dave", `${page}/review`)).status, 404);
  // The task's own page has it, with a link to the question. The dashboard has it too.
  const own = await beginningOf(await world.get("bob", page), "log-box");
  assert.match(own, /2 of 3 hosts would change\./);
  const dashboard = await htmlOf(await world.get("bob", `/project/${world.web.id}/history`));
  assert.match(dashboard, /2 of 3 hosts would change\./);
  assert.ok(own.includes(`href="${page}/review#review"`));
  assert.ok(dashboard.includes(`href="?t=${id}&amp;tab=review"`));
  for (const shown of [own, dashboard]) assert.ok(!shown.includes(`action="${page}/confirm"`));
  const rejected = await world.post("bob", `${page}/reject`, {});
  assert.equal(rejected.status, 303);
  const ended = (await world.api("carol", "GET", path)).body;
  assert.deepEqual([ended.id, ended.status], [id, "stopped"]);
  assert.match(ended.end_reason, /^Bob.* rejected the task/);
  const done = await htmlOf(await world.get("bob", `${page}/review`));
  assert.doesNotMatch(done, /action="[^"]*\/(confirm|reject)"/);
});

Deno.test("the tabs of a task show its preview until that is confirmed, then its results", async () => {
  await using world = await newWorld();
  const { page, id } = await previewedTask(world);
  const tab = async (name: string) => await htmlOf(await world.get("carol", `${page}/${name}`));
  assert.match(await tab("hosts"), />cache</);
  assert.match(await tab("hosts?view=matrix"), /web, Task a: changed/);
  assert.match(await tab("hosts?host=1"), /Task a/);
  assert.match(await tab("timeline"), /Task b/);
  for (const by of ["", "?by=host&host=2"]) assert.match(await tab(`changes${by}`), /&lt;new>/);
  assert.match(
    await tab("changes"),
    /The preview changed nothing\. These are the changes that the run would make\./,
  );
  // One of the predicted changes, in full.
  const [, change] = /id="change-([\d.]+)"/.exec(await tab("review"))!;
  assert.equal((await tab(`review?change=${change}`)).match(/id="change-[\d.]+"/g)?.length, 1);
  const over = await htmlOf(
    await world.get("bob", `/project/${world.web.id}/history?t=${id}&tab=review`),
  );
  assert.deepEqual(sentForm(over, `${page}/confirm`), {
    back: `/project/${world.web.id}/history?t=${id}`,
    note: "",
  });
  await world.post("bob", `${page}/confirm`, {});
  assert.match(await tab("changes"), /No host results yet/);
  // The prediction can still be viewed, without links to results.
  assert.match(await tab("review"), /<span[^>]*>web<\/span>/);
});

Deno.test("a task that waits without a preview is reviewed too, and no other has that tab", async () => {
  await using world = await newWorld();
  const tasks = `/api/project/${world.web.id}/tasks`;
  const start = async () =>
    (await world.api("bob", "POST", tasks, { template_id: world.deploy.id })).body.id;
  const review = async (id: number) =>
    await htmlOf(await world.get("bob", `/project/${world.web.id}/tasks/${id}/review`));
  const plain = await review(await start());
  assert.doesNotMatch(plain, /task-tab-review|action="[^"]*\/confirm"/);
  await changeTemplate(world, { require_confirmation: true });
  const html = await review(await start());
  assert.match(html, /id="task-tab-review"[^>]*aria-current="page"/);
  assert.match(html, /What will run.*<dt>Inventory<\/dt>/);
  assert.match(html, /action="[^"]*\/confirm"/);
});

Deno.test("an alert says that a preview waits, and what it would change", async () => {
  await using world = await newWorld();
  const { id } = await previewedTask(world);
  const row = await getTaskRow(world.kv, world.web.id, id);
  assert.equal(row.status, "waiting_confirmation");
  const project = (await world.kv.get<ProjectRow>(rowKeys.project(world.web.id))).value!;
  const { title, facts, mood } = taskMessage(world.deps.config, project, row, "en");
  assert.match(title, /waiting for approval/);
  assert.equal(mood, "question");
  assert.ok(facts.some(({ value }) => value === "2 of 3 hosts would change."));
});

Deno.test("a confirmation required by a template can be rejected without a preview too", async () => {
  await using world = await newWorld();
  await changeTemplate(world, { require_confirmation: true });
  const tasks = `/api/project/${world.web.id}/tasks`;
  const { body } = await world.api("bob", "POST", tasks, { template_id: world.deploy.id });
  assert.equal((await world.api("bob", "POST", `${tasks}/${body.id}/reject`)).status, 204);
  assert.equal((await world.api("bob", "GET", `${tasks}/${body.id}`)).body.status, "stopped");
  assert.deepEqual((await world.api("bob", "GET", `${tasks}/${body.id}/output`)).body, []);
  assert.equal((await world.api("bob", "POST", `${tasks}/${body.id}/reject`)).status, 409);
});

Deno.test("deleting a task takes its preview's results with it", async () => {
  await using world = await newWorld();
  const { path, id } = await previewedTask(world);
  assert.notEqual((await world.kv.get(rowKeys.taskResultHead(-id))).value, null);
  await world.api("bob", "POST", `${path}/reject`);
  assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  assert.equal((await world.kv.get(rowKeys.taskResultHead(-id))).value, null);
  const rows = world.kv.list({ prefix: rowKeys.taskResults(-id) });
  assert.deepEqual(await Array.fromAsync(rows), []);
});

/**
 * An Ansible task that the preview ran on two hosts, one of which it changed, and a second Ansible
 * task that only read.
 */
const CARRIED_OUT = [
  task("c"),
  result("c", "cache", { status: "changed", carriedOut: true, diff: "-<was>\n+<done>" }),
  result("c", "db", { carriedOut: true }),
  { ...task("d"), action: "ansible.builtin.stat" },
  result("d", "db", { carriedOut: true }),
];

Deno.test("changes made by a preview itself are shown as done: in Review, in alerts, and when it is rejected", async () => {
  await using world = await newWorld();
  const { page, path, id } = await previewedTask(world, { more: CARRIED_OUT });
  const { body } = await world.api("carol", "GET", `${path}/preview`);
  assert.deepEqual([body.hosts, body.changed_hosts, body.carried_out], [3, 2, 1]);
  const [done, ...others] = body.carried_out_tasks;
  assert.equal(others.length, 0, "an action that only looks changes nothing");
  assert.deepEqual([done.play_task, done.action, done.hosts, done.changed_hosts], [
    "Task c",
    "command",
    2,
    1,
  ]);
  assert.deepEqual(body.changes.map((change: { diff: string }) => change.diff), ["-<old>\n+<new>"]);

  const html = await htmlOf(await world.get("bob", `${page}/review`));
  assert.match(html, /2 of 3 hosts would change\./);
  assert.match(
    html,
    /Already done during the preview.*Task c \(<code>command<\/code>\), on 2 hosts \(changed 1 host\)/,
  );
  assert.match(html, /Already done<\/strong>/);
  assert.match(html, /Reject does not undo what the preview has already done\./);
  for (const by of ["", "?by=host&host=3"]) {
    const changes = await htmlOf(await world.get("carol", `${page}/changes${by}`));
    assert.match(changes, /already done/);
    assert.match(changes, /Already done<\/strong>/);
  }
  const dashboard = await htmlOf(await world.get("bob", `/project/${world.web.id}/history`));
  assert.match(dashboard, /1 Ansible task already ran\./);
  const project = (await world.kv.get<ProjectRow>(rowKeys.project(world.web.id))).value!;
  const row = await getTaskRow(world.kv, world.web.id, id);
  const { facts } = taskMessage(world.deps.config, project, row, "en");
  assert.ok(facts.some(({ value }) => value.endsWith("1 Ansible task already ran.")));

  await world.api("bob", "POST", `${path}/reject`);
  const { end_reason } = (await world.api("carol", "GET", path)).body;
  assert.match(
    end_reason,
    /^Bob.* rejected the task\. 1 Ansible task had already run during the preview\./,
  );
});

Deno.test("people who confirm see where a play depends on check mode, and which tasks run without a question", async () => {
  await using world = await newWorld();
  const { page, path } = await previewedTask(world, { checkMode: ["site.yml:4", "…"] });
  const { body } = await world.api("carol", "GET", `${path}/preview`);
  assert.deepEqual(body.check_mode, ["site.yml:4", "…"]);
  const html = await htmlOf(await world.get("bob", `${page}/review`));
  assert.match(html, /Depends on check mode.*<code>site\.yml:4<\/code>.*could be searched/);
  const form = await htmlOf(
    await world.get("alice", `/project/${world.web.id}/templates/new/edit`),
  );
  assert.match(form, /check_mode: false run during the preview/);
});

Deno.test("a preview is surely without changes only where nothing was done or depends on check mode", async () => {
  const sure = async (events: RunEvent[], checkMode?: string[]) => {
    await using world = await newWorld();
    const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
      template_id: world.deploy.id,
    });
    const at = { ...world.deps, projectId: world.web.id, taskId: body.id as number };
    const output = createLogWriter(at);
    const results = createResultWriter({ ...at, isPreview: true, output });
    const end = { type: "end", at: Date.now(), lost: 0, ...checkMode && { checkMode } } as const;
    for (const event of [play("all"), task("a"), ...events, end]) await results.take(event);
    await results.flush();
    return await isCertainNoOp(world.kv, at.taskId);
  };
  const fine = result("a", "web");
  assert.equal(await sure([fine], []), true);
  assert.equal(await sure([{ ...fine, carriedOut: true }], []), true, "it ran and changed nothing");
  assert.equal(await sure([fine], ["site.yml:4"]), false);
  assert.equal(await sure([fine]), false, "nobody has looked");
  assert.equal(
    await sure([{ ...fine, status: "changed", changed: true, carriedOut: true }], []),
    false,
  );
  assert.equal(await sure([{ ...fine, status: "skipped", unchecked: true }], []), false);
});
