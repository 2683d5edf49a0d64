import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { cookiesOf, fieldOf, htmlOf, linkOf, titleOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pageOf = ({ web }: World, page: string) => `/project/${web.id}/${page}`;
const location = (response: Response) => response.headers.get("location");

async function runTasks({ deps, people, web }: World, count: number, message = "") {
  for (let n = 0; n < count; n++) {
    const input = { template_id: web.templateId, message };
    await startTask(
      await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks"),
      parseStart(input),
    );
  }
}

Deno.test("Erin creates a project, and is shown it", async () => {
  await using world = await newWorld();
  const form = {
    name: "Data platform",
    alert: "true",
    alert_chat: "-100",
    max_parallel_tasks: "3",
  };
  const created = await world.post("erin", "/project/new", form);
  assert.equal(created.status, 303);
  const id = Number(/^\/project\/(\d+)\/history$/.exec(location(created)!)![1]);
  assert.match(cookiesOf(created).flash, /flash\.project\.created.*Data platform/);
  const { body } = await world.api("erin", "GET", `/api/project/${id}`);
  assert.deepEqual([body.name, body.alert, body.alert_chat, body.max_parallel_tasks], [
    "Data platform",
    true,
    "-100",
    3,
  ]);
});

Deno.test("A project's form that is wrong keeps what was typed, and leads to the field", async () => {
  await using world = await newWorld();
  const form = { name: "Ok", alert: "true", alert_chat: "-100", max_parallel_tasks: "-1" };
  for (const sender of ["/project/new", pageOf(world, "settings")]) {
    const answer = await world.post("erin", sender, form);
    assert.equal(answer.status, 422);
    const html = await htmlOf(answer);
    assert.match(html, /role="alert".*href="#field-max_parallel_tasks".*Must be 0 or greater/);
    const field = fieldOf(html, "max_parallel_tasks");
    assert.match(field, / autofocus/);
    assert.match(field, / aria-invalid="true"/);
    assert.match(field, / value="-1"/);
    if (sender !== "/project/new") continue;
    assert.match(fieldOf(html, "alert"), / checked/);
    assert.match(fieldOf(html, "alert_chat"), / value="-100"/);
  }
});

Deno.test("Enter in a new project's form creates a plain project, not the demo", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("erin", "/project/new"));
  const form = html.slice(html.indexOf('action="/project/new"'));
  // Browsers press a form's first button for Enter.
  assert.doesNotMatch(/<button[^>]*>/.exec(form)![0], /name=/);
  assert.match(form, /<button name="demo" value="true"/);
});

Deno.test("a new project asks for a name and folds the rest, and the demo needs no name", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("erin", "/project/new"));
  assert.doesNotMatch(/<details id="project-more"[^>]*>/.exec(html)![0], / open/);
  assert.ok(html.indexOf('name="name"') < html.indexOf('<details id="project-more"'));
  const missing = await world.post("erin", "/project/new", { name: "" });
  assert.equal(missing.status, 422);
  for (const [typed, name] of [["", "Demo Project"], [" ", "Demo Project (2)"], ["Mine", "Mine"]]) {
    const answer = await world.post("erin", "/project/new", { name: typed, demo: "true" });
    assert.equal(answer.status, 303);
    const id = /^\/project\/(\d+)\/history$/.exec(location(answer)!)![1];
    const { body } = await world.api("erin", "GET", `/api/project/${id}`);
    assert.equal(body.name, name);
    assert.equal((await world.api("erin", "GET", `/api/project/${id}/templates`)).body.length, 4);
  }
});

Deno.test("a server without projects shows three doors, each of which leads on", async () => {
  await using world = await newWorld();
  for (const { id } of [world.web, world.lab]) {
    assert.equal((await world.api("erin", "DELETE", `/api/project/${id}`)).status, 204);
  }
  const doors = async () => {
    const html = await htmlOf(await world.get("erin", "/project/new"));
    return [...html.matchAll(/<section class="card door".*?<\/section>/gs)].map(([door]) => door);
  };
  const [demo, own, bring] = await doors();
  assert.match(demo!, /action="\/project\/new".*name="demo" value="true".*Create Demo Project/s);
  assert.match(own!, /action="\/project\/new".*name="name".*>Create</s);
  assert.match(bring!, /deno task import semaphore.*href="\/project\/restore".*Restore project/s);
  const refused = await world.post("erin", "/project/new", { name: "" });
  assert.equal(refused.status, 422);
  assert.match(fieldOf(await htmlOf(refused), "name"), / aria-invalid="true"/);
  assert.equal((await world.post("erin", "/project/new", { name: "", demo: "true" })).status, 303);
  assert.deepEqual(await doors(), [], "with a project there is a form");
});

Deno.test("people who may create projects see the doors without an operator's command", async () => {
  await using world = await newWorld({ config: { usersCreateProjects: true } });
  await world.api("alice", "DELETE", `/api/project/${world.web.id}`);
  const html = await htmlOf(await world.get("bob", "/project/new"));
  assert.match(html, /class="card door"/);
  assert.doesNotMatch(html, /import semaphore/);
});

Deno.test("Alice changes the project's settings; the others do not see them", async () => {
  await using world = await newWorld();
  const path = pageOf(world, "settings");
  const shown = await htmlOf(await world.get("alice", path));
  assert.equal(titleOf(shown), "Settings - Web shop - Callboard");
  assert.match(fieldOf(shown, "name"), / value="Web shop"/);
  assert.match(shown, new RegExp(`href="/api/project/${world.web.id}/backup"`));

  const saved = await world.post("alice", path, { name: "Shop", max_parallel_tasks: "2" });
  assert.equal(location(saved), path);
  assert.match(await htmlOf(await world.get("bob", pageOf(world, "history"))), />Shop</);

  for (const person of ["mike", "bob", "carol"] as const) {
    assert.equal((await world.get(person, path)).status, 403);
    assert.equal((await world.post(person, path, { name: "Mine" })).status, 403);
    const history = await htmlOf(await world.get(person, pageOf(world, "history")));
    assert.doesNotMatch(history, />Settings</);
  }
});

Deno.test("Alice deletes the project by typing its name", async () => {
  await using world = await newWorld();
  const path = pageOf(world, "settings/delete");
  const mistyped = await world.post("alice", path, { name: "web shop" });
  assert.equal(mistyped.status, 422);
  assert.match(await htmlOf(mistyped), /This does not match the project(&#39;|')s name/);
  assert.equal((await world.get("mike", path)).status, 403);
  assert.equal((await world.post("mike", path, { name: "Web shop" })).status, 403);
  assert.equal((await world.post("carol", path, { name: "mistyped" })).status, 403);

  await runTasks(world, 1);
  const running = await world.post("alice", path, { name: "Web shop" });
  assert.equal(running.status, 422, "a task is still open");
  assert.match(await htmlOf(running), /role="alert"/);

  const deleted = await world.post("alice", path, { name: "Web shop", force: "true" });
  assert.equal(location(deleted), "/");
  assert.equal((await world.get("alice", pageOf(world, "history"))).status, 404);
});

Deno.test("The history shows twenty tasks a page, latest first, and leads to older ones", async () => {
  await using world = await newWorld();
  await runTasks(world, 45);
  const tasks = (html: string) =>
    [...html.matchAll(/<tr id="task-(\d+)"/g)].map(([, id]) => Number(id));

  const first = await htmlOf(await world.get("carol", pageOf(world, "history")));
  assert.equal(titleOf(first), "History - Web shop - Callboard");
  assert.deepEqual(tasks(first), Array.from({ length: 20 }, (_, n) => 45 - n));
  const second = await htmlOf(await world.get("carol", linkOf(first, "Older")!));
  assert.deepEqual(tasks(second), Array.from({ length: 20 }, (_, n) => 25 - n));
  assert.match(second, /before=26&amp;t=25"[^>]*>#25</, "a log opens over the same rows");
  const third = await htmlOf(await world.get("carol", linkOf(second, "Older")!));
  assert.deepEqual(tasks(third), [5, 4, 3, 2, 1]);
  assert.equal(linkOf(third, "Older"), undefined);
});

Deno.test("The history can be narrowed to a status, and says what a task was for", async () => {
  await using world = await newWorld();
  await runTasks(world, 2, "release <v2>");
  const waiting = await htmlOf(await world.get("bob", pageOf(world, "history?status=waiting")));
  assert.match(waiting, /data-status="waiting"/);
  assert.match(waiting, /release &lt;v2>/);
  assert.match(waiting, /value="waiting" checked/);
  const failed = await htmlOf(await world.get("bob", pageOf(world, "history?status=error")));
  assert.match(failed, /No task matches: Status: Failed/);
  const odd = await world.get("bob", pageOf(world, "history?status=nonsense&before=x"));
  assert.equal(odd.status, 200);
});

Deno.test("The activity says who did what, in pages", async () => {
  await using world = await newWorld();
  for (let n = 0; n < 25; n++) {
    world.clock.advance(1000);
    await world.post("mike", pageOf(world, "keys/new"), { name: `Key ${n}`, type: "none" });
  }
  const first = await htmlOf(await world.get("carol", pageOf(world, "activity")));
  assert.match(first, /Key &quot;Key 24&quot; was created/);
  assert.doesNotMatch(first, /&quot;Key 4&quot; was created/);
  assert.match(first, />Mike</);
  const second = await htmlOf(await world.get("carol", linkOf(first, "Older")!));
  assert.match(second, /Key &quot;Key 4&quot; was created/);
  assert.doesNotMatch(second, /&quot;Key 24&quot; was created/);
});
