import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import type { ScheduleRow } from "@/lib/triggers/schedules/schema.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { fieldOf, htmlOf, linkOf } from "@/tests/support/basics/html.ts";
import { addSshKey, templateForm } from "@/tests/support/world/forms.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const path = (world: World, rest: string) => `/project/${world.web.id}${rest}`;

/** Fields of a template's form. */
const fields = (world: World, change: Record<string, string> = {}) => ({
  type: "",
  name: "Restart",
  playbook: "restart.yml",
  inventory_id: String(world.web.inventoryId),
  repository_id: String(world.web.repositoryId),
  environment_id: String(world.web.environmentId),
  ...change,
});

const text = async (response: Promise<Response>) => await (await response).text();

Deno.test("Mike creates a template with a survey, without any script", async () => {
  await using world = await newWorld();
  const form = path(world, "/templates/new/edit");
  const blank = await text(world.get("mike", form));
  assert.match(blank, /<h1[^>]*>New template<\/h1>/);

  const typed = fields(world, { question: "add" });
  const added = await text(world.post("mike", form, typed));
  assert.match(added, /name="survey_vars\.0\.name"/);
  assert.match(added, /value="Restart"/, "what was typed stays");

  const saved = await world.post(
    "mike",
    form,
    fields(world, {
      "survey_vars.0.name": "region",
      "survey_vars.0.title": "Region",
      "survey_vars.0.type": "enum",
      "survey_vars.0.choices": "Europe = eu\r\nus",
      "survey_vars.0.required": "true",
    }),
  );
  assert.equal(saved.status, 303, await saved.text());
  const templates = await world.api("mike", "GET", `/api${path(world, "/templates")}`);
  const made = templates.body.find(({ name }: { name: string }) => name === "Restart");
  assert.deepEqual(made.survey_vars[0].values, [
    { name: "Europe", value: "eu" },
    { name: "us", value: "us" },
  ]);
  assert.equal(saved.headers.get("location"), path(world, `/templates/${made.id}`));

  const start = await text(world.get("bob", path(world, `/templates/${made.id}/tasks`)));
  assert.match(start, /<option value="eu"\s*>Europe<\/option>/);
});

Deno.test("a wrong template form is shown again, with what was typed and what is wrong", async () => {
  await using world = await newWorld();
  const answer = await world.post(
    "mike",
    path(world, "/templates/new/edit"),
    fields(world, { name: "", arguments: "nonsense" }),
  );
  assert.equal(answer.status, 422);
  const html = await answer.text();
  assert.match(html, /nonsense/);
  for (const field of ["name", "arguments"]) {
    assert.match(html, new RegExp(`id="field-${field}-error"`), field);
  }
  const build = fields(world, { type: "build" });
  const unversioned = await text(world.post("mike", path(world, "/templates/new/edit"), build));
  assert.match(unversioned, /id="field-start_version-error"/);
  const bare = fields(world, { environment_id: "" });
  const without = await text(world.post("mike", path(world, "/templates/new/edit"), bare));
  assert.match(without, /id="field-environment_id-error"/);
});

Deno.test("editing a template keeps what its form does not show", async () => {
  await using world = await newWorld();
  const api = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body: before } = await world.api("mike", "GET", api);
  const task_params = { allow_override_limit: true, limit: ["web"], custom: { kept: 1 } };
  assert.equal((await world.api("mike", "PUT", api, { ...before, task_params })).status, 204);
  const saved = await world.post(
    "mike",
    path(world, `/templates/${world.deploy.id}/edit`),
    fields(world, { name: "Renamed", "task_params.allow_override_limit": "true" }),
  );
  assert.equal(saved.status, 303, await saved.text());
  const { body: after } = await world.api("mike", "GET", api);
  assert.equal(after.name, "Renamed");
  assert.deepEqual(after.task_params, { allow_override_limit: true, custom: { kept: 1 } });
});

Deno.test("Bob starts a task from the page, Carol is refused and sees no button", async () => {
  await using world = await newWorld();
  const form = path(world, `/templates/${world.deploy.id}/tasks`);
  const started = await world.post("bob", form, { message: "Friday", dry_run: "true" });
  assert.equal(started.status, 303, await started.text());
  const [task] = (await world.api("bob", "GET", `/api${path(world, "/tasks")}`)).body;
  assert.equal(task.message, "Friday");
  assert.equal(task.dry_run, true);
  assert.equal(
    started.headers.get("location"),
    path(world, `/templates/${world.deploy.id}?t=${task.id}`),
  );
  assert.equal((await world.post("carol", form)).status, 403);
  const deletion = path(world, `/templates/${world.deploy.id}/delete`);
  assert.equal((await world.get("bob", deletion)).status, 403);
  const list = await text(world.get("carol", path(world, "/templates")));
  assert.doesNotMatch(list, new RegExp(`href="${form}"`));
  const again = await text(world.get("bob", `${form}?from=${task.id}`));
  assert.match(again, /value="Friday"/);
});

Deno.test("Cancel leads back to where the form was opened, also after a wrong answer", async () => {
  await using world = await newWorld();
  const api = `/api${path(world, `/templates/${world.deploy.id}`)}`;
  const { body: before } = await world.api("mike", "GET", api);
  const survey_vars = [{ name: "serial", title: "Servers at once", type: "int", required: true }];
  assert.equal((await world.api("mike", "PUT", api, { ...before, survey_vars })).status, 204);
  const form = path(world, `/templates/${world.deploy.id}/tasks`);
  const list = path(world, "/views/3/templates?sort=playbook");
  const row = `${list}#template-${world.deploy.id}`;
  const opened = await htmlOf(
    await world.get("bob", form, { Referer: `http://callboard.test${list}` }),
  );
  assert.equal(linkOf(opened, "Cancel"), row);
  assert.match(opened, /<h1[^>]*>Run Deploy shop<\/h1>/);
  const wrong = await htmlOf(await world.post("bob", form, { back: list, "answers.serial": "x" }));
  assert.equal(linkOf(wrong, "Cancel"), row);
  assert.match(wrong, />Servers at once: Must be integer</);

  const template = path(world, `/templates/${world.deploy.id}`);
  for (const referer of [form, "/auth/login?next=x", "", "nonsense"]) {
    const headers = {
      Referer: referer.startsWith("/") ? `http://callboard.test${referer}` : referer,
    };
    assert.equal(linkOf(await htmlOf(await world.get("bob", form, headers)), "Cancel"), template);
  }
  const evil = await htmlOf(await world.post("bob", form, { back: "//evil.example/x" }));
  assert.doesNotMatch(evil, /href="(https?:)?\/\/evil/);
});

Deno.test("a deploy without any build says what is missing", async () => {
  await using world = await newWorld();
  const make = async (change: Record<string, string>) => {
    const made = await world.post(
      "mike",
      path(world, "/templates/new/edit"),
      fields(world, change),
    );
    return made.headers.get("location")!;
  };
  const build = await make({ name: "Build", type: "build", start_version: "1.0" });
  const build_template_id = build.split("/").at(-1)!;
  const deploy = await make({ name: "To production", type: "deploy", build_template_id });
  const form = await text(world.get("bob", `${deploy}/tasks`));
  assert.match(form, /<option value=""[^>]*>There is no successful build/);
});

Deno.test("a task's log opens over the page, and leaves it when closed", async () => {
  await using world = await newWorld();
  const { id, task } = await running(world, [
    "\x1b[0;32mok: [web]\x1b[0m <script>alert(1)</script>",
  ]);
  const html = await text(world.get("carol", path(world, `/templates?t=${id}`)));
  assert.match(html, new RegExp(`<title>#${id} Deploy shop - Running - Web shop - Callboard<`));
  assert.match(html, /<dialog id="over" class="over" open/);
  assert.match(html, /<span[^>]* class="ansi-green-fg"[^>]*>ok: \[web\]<\/span>/);
  assert.match(html, /> &lt;script>alert\(1\)/);
  assert.match(
    html,
    new RegExp(`href="${path(world, "/templates")}#task-${id}"[^>]* class="icon-button`),
  );
  await advance(world.kv, task, "error");
  const below = path(world, "/templates");
  for (const odd of ["x", "1.5", "-1"]) {
    const page = await text(world.get("carol", `${below}?t=${odd}`));
    assert.doesNotMatch(page, /id="over" class="over" open/);
  }
});

Deno.test("a missing task, or one of another project, is reported over the page", async () => {
  await using world = await newWorld();
  const { id: foreign } = await running(world, []);
  const lab = `/project/${world.lab.id}`;
  for (const id of [999_999, foreign]) {
    const unknown = await world.get("dave", `${lab}/templates?sort=name&t=${id}`);
    assert.equal(unknown.status, 200, "the page below is there");
    const html = await unknown.text();
    assert.match(html, new RegExp(`This project has no task #${id}`));
    assert.match(html, new RegExp(`href="${lab}/templates\\?sort=name"[^>]*data-cancel`));
    assert.equal((await world.get("dave", `${lab}/tasks/${id}`)).status, 404);
  }
});

Deno.test("moving values are in their new place, texts replace symbols, and the API has all of it", async () => {
  await using world = await newWorld();
  const line = "10%\r20% \u202eevil\x1b]8;;http://evil.example\x07";
  const { id, task, writer } = await running(world, [line]);
  await advance(world.kv, task, "error", {}, { also: (op) => writer.close(op) });
  for (const page of [`/templates?t=${id}`, `/tasks/${id}`]) {
    const html = await text(world.get("carol", path(world, page)));
    // The island's data is in a script, and escaped there.
    const shown = html.replace(/<script.*?<\/script>/gs, "");
    assert.ok(!["\r", "\x1b", "\x07", "\u202e"].some((unseen) => shown.includes(unseen)), page);
    assert.match(shown, /20% <\/span><span[^>]*class="log-unseen"[^>]*>\\u202e<\/span>/, page);
    assert.doesNotMatch(shown, /10%|evil\.example/, page);
  }
  const { raw } = await world.api("carol", "GET", `/api${path(world, `/tasks/${id}/output`)}`)
    .then(({ body }) => ({ raw: body[0].output }));
  assert.equal(raw, line);
});

Deno.test("without script, a task's page is sent as the lines come, and ends with the status", async () => {
  await using world = await newWorld();
  const { id, task, writer } = await running(world, ["first"]);
  const response = await world.get("carol", path(world, `/tasks/${id}`));
  assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self'(;| )/);
  const stream = readStream(response.body!);
  const html = await stream.until(/first<\/span>/);
  assert.match(html, />1<\/a> <time.*<\/time> <span/, "a text browser keeps the columns apart");
  assert.doesNotMatch(html, /<\/html>/);
  writer.write("second");
  await writer.flush();
  await stream.until(/second<\/span>/);
  await advance(world.kv, task, "success", {}, { also: (op) => writer.close(op) });
  await stream.until(/data-status="success"[\s\S]*<\/html>/);
  await stream.cancel();
});

Deno.test("a text browser skips to the content, and keeps the words of the menus apart", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("alice", path(world, "/templates")));
  assert.match(html, /<main id="main"[^>]*><a name="main"><\/a>/, "w3m knows no `main`");
  assert.doesNotMatch(html, /<\/button><button type="submit" name="(lang|theme)"/);
});

Deno.test("a row of the list shows its last five tasks when it is opened", async () => {
  await using world = await newWorld();
  const ids: number[] = [];
  for (let n = 0; n < 7; n++) {
    const { body } = await world.api("bob", "POST", `/api${path(world, "/tasks")}`, {
      template_id: world.deploy.id,
    });
    ids.push(body.id);
  }
  const list = path(world, "/templates");
  const closed = await text(world.get("carol", list));
  assert.match(closed, /aria-expanded="false"/);
  assert.doesNotMatch(closed, /class="row-below"/);
  const opened = await text(world.get("carol", `${list}?sort=playbook&open=${world.deploy.id}`));
  assert.match(opened, /aria-expanded="true"/);
  const below = opened.slice(opened.indexOf('class="row-below"'));
  const shown = [...below.matchAll(/id="task-(\d+)"/g)].map(([, id]) => Number(id));
  assert.deepEqual(shown, ids.toReversed().slice(0, 5));
  const log = `${list}?sort=playbook&open=${world.deploy.id}&t=${ids[6]}`;
  assert.equal(linkOf(below, `#${ids[6]}`), log);
  const over = await text(world.get("carol", log));
  const back = `${list}?sort=playbook&amp;open=${world.deploy.id}#task-${ids[6]}`;
  assert.ok(over.includes(`href="${back}"`), "the row is still open when the log is closed");

  const { body: idle } = await world.api(
    "mike",
    "POST",
    `/api${list}`,
    templateForm(world),
  );
  const table = /<table.*<\/table>/s;
  assert.doesNotMatch(table.exec(opened)![0], /aria-current="(true|page)"/);
  const never = await text(world.get("carol", `${list}?open=${idle.id}`));
  assert.match(never, /class="row-below".*Never run/s);
  for (const unknown of ["999", "x", "-1", ""]) {
    const answer = await text(world.get("carol", `${list}?open=${unknown}`));
    assert.doesNotMatch(answer, /class="row-below"/, unknown);
  }
});

/** Creates a template with that schedule by the form, and returns its address. */
async function scheduled(world: World, change: Record<string, string>): Promise<string> {
  const made = await world.post("mike", path(world, "/templates/new/edit"), fields(world, change));
  assert.equal(made.status, 303, await made.text());
  return made.headers.get("location")!;
}

const schedulesOf = async (world: World, template: string) =>
  (await world.api("mike", "GET", `/api${template}/schedules`)).body;

Deno.test("the form of a template creates, changes and removes its schedule", async () => {
  await using world = await newWorld();
  const repository = String(world.web.repositoryId);
  const template = await scheduled(world, { cron_format: "0 3 * * *" });
  const [made, ...others] = await schedulesOf(world, template);
  assert.deepEqual([made.cron_format, made.repository_id], ["0 3 * * *", null]);
  assert.equal(others.length, 0);
  const edit = `${template}/edit`;
  assert.match(fieldOf(await text(world.get("mike", edit)), "cron_format"), /value="0 3 \* \* \*"/);

  const save = async (change: Record<string, string>) => {
    const saved = await world.post("mike", edit, fields(world, change));
    assert.equal(saved.status, 303, await saved.text());
    return await schedulesOf(world, template);
  };
  const [changed] = await save({ cron_format: "@daily", cron_repository_id: repository });
  assert.equal(changed.id, made.id);
  assert.deepEqual([changed.cron_format, changed.repository_id], [
    "@daily",
    world.web.repositoryId,
  ]);
  assert.match(await text(world.get("mike", edit)), /selected[^>]*>Playbooks/);
  assert.deepEqual(await save({ cron_format: " " }), []);
  assert.deepEqual(await save({}), []);
});

Deno.test("a template that is saved anew does not make its schedule forget what it ran", async () => {
  await using world = await newWorld();
  const typed = { cron_format: "0 3 * * *", cron_repository_id: String(world.web.repositoryId) };
  const template = await scheduled(world, typed);
  const [{ id }] = await schedulesOf(world, template);
  const key = rowKeys.resource("schedules", world.web.id, id);
  const { value } = await world.kv.get<ScheduleRow>(key);
  await world.kv.set(key, { ...value, commit: "a".repeat(40) });
  const save = async (change: Record<string, string>) => {
    const form = fields(world, { ...typed, ...change });
    assert.equal((await world.post("mike", `${template}/edit`, form)).status, 303);
    return (await world.kv.get<ScheduleRow>(key)).value!.commit;
  };
  assert.equal(await save({ name: "Renamed" }), "a".repeat(40));
  assert.equal(await save({ cron_format: "0 4 * * *" }), null);
});

Deno.test("a wrong schedule is reported in the form, and nothing is stored", async () => {
  await using world = await newWorld();
  const count = async () =>
    (await world.api("mike", "GET", `/api${path(world, "/templates")}`)).body.length;
  const before = await count();
  const send = (change: Record<string, string>) =>
    world.post("mike", path(world, "/templates/new/edit"), fields(world, change));
  const wrong = await send({ cron_format: "every day" });
  assert.equal(wrong.status, 422);
  const html = await wrong.text();
  assert.match(html, /id="field-cron_format-error"[^>]*>Cron: /);
  assert.match(fieldOf(html, "cron_format"), /value="every day"/);
  const foreign = { cron_format: "@daily", cron_repository_id: "999" };
  assert.equal((await send(foreign)).status, 422);
  assert.equal(await count(), before);
});

Deno.test("a template's schedule has presets and its next runs, and none removes it", async () => {
  await using world = await newWorld();
  const template = await scheduled(world, {});
  const edit = `${template}/edit`;
  const chosen = (html: string) =>
    / selected/.test(/<select[^>]* name="every".*?<\/select>/s.exec(html)![0]);
  const blank = await text(world.get("mike", edit));
  assert.ok(!chosen(blank), "none is the first option");
  assert.match(blank, /The next times are shown here/);
  const daily = { every: "daily", at_time: "06:30", cron_format: "", cron_shown: "" };
  const shown = await world.post("mike", edit, fields(world, { ...daily, preview: "true" }));
  assert.equal(shown.status, 200);
  const html = await shown.text();
  assert.match(fieldOf(html, "cron_format"), /value="30 6 \* \* \*"/);
  assert.ok(chosen(html));
  assert.match(html, /<details id="template-schedule"[^>]* open/);
  assert.equal(html.split('id="schedule-preview"')[1].match(/<time /g)?.length, 5);
  assert.deepEqual(await schedulesOf(world, template), [], "nothing is stored");

  assert.equal((await world.post("mike", edit, fields(world, daily))).status, 303);
  assert.equal((await schedulesOf(world, template))[0].cron_format, "30 6 * * *");
  const wrong = { ...daily, at_time: "25:00" };
  assert.equal((await world.post("mike", edit, fields(world, wrong))).status, 422);
  const none = { every: "", cron_format: "30 6 * * *", cron_shown: "30 6 * * *" };
  assert.equal((await world.post("mike", edit, fields(world, none))).status, 303);
  assert.deepEqual(await schedulesOf(world, template), []);
});

Deno.test("schedules that say more than the form can are shown, and stay", async () => {
  await using world = await newWorld();
  const template = path(world, `/templates/${world.deploy.id}`);
  const api = `/api${path(world, "/schedules")}`;
  const named = { template_id: world.deploy.id, cron_format: "0 3 * * *", name: "Nightly" };
  const { body: first } = await world.api("mike", "POST", api, named);
  const assertKept = async (sentence: RegExp) => {
    const html = await text(world.get("mike", `${template}/edit`));
    assert.equal(fieldOf(html, "cron_format"), "");
    assert.match(html, sentence);
    assert.match(html, /At 3:00 AM/);
    const before = await schedulesOf(world, template);
    const form = fields(world, { name: "Deploy shop", cron_format: "@hourly" });
    assert.equal((await world.post("mike", `${template}/edit`, form)).status, 303);
    assert.deepEqual(await schedulesOf(world, template), before);
  };
  await assertKept(/has settings that this form does not show/);
  for (
    const more of [
      { timezone: "Europe/Berlin" },
      { active: false },
      { missed: "run_once" },
      { task_params: { debug: true } },
    ]
  ) {
    const form = { ...named, id: first.id, name: "", timezone: null, active: true, ...more };
    assert.equal((await world.api("mike", "PUT", `${api}/${first.id}`, form)).status, 204);
    await assertKept(/has settings that this form does not show/);
    const plain = { ...form, timezone: null, active: true, missed: "skip", task_params: null };
    await world.api("mike", "PUT", `${api}/${first.id}`, plain);
  }
  const shown = await text(world.get("mike", `${template}/edit`));
  assert.match(fieldOf(shown, "cron_format"), /value="0 3 /, "a plain one can be typed");
  await world.api("mike", "POST", api, { ...named, name: "" });
  await assertKept(/This template has several schedules/);
});

Deno.test("a copy begins with all that its source says, but for the schedule", async () => {
  await using world = await newWorld();
  const template = await scheduled(world, {
    cron_format: "@daily",
    description: "All of it",
    suppress_full_results: "true",
    preview_first: "true",
    preview_end_unchanged: "true",
    retry_attempts: "3",
    retry_minutes: "15",
  });
  const detail = await text(world.get("mike", template));
  const copy = /href="([^"]*new\/edit\?from=\d+)"/.exec(detail)![1];
  const form = await text(world.get("mike", copy));
  assert.match(fieldOf(form, "name"), /value="Restart"/);
  assert.match(form, />All of it</);
  for (const name of ["suppress_full_results", "preview_first", "preview_end_unchanged"]) {
    assert.match(fieldOf(form, name), /checked/);
  }
  assert.match(fieldOf(form, "retry_attempts"), /value="3"/);
  assert.match(fieldOf(form, "retry_minutes"), /value="15"/);
  assert.doesNotMatch(fieldOf(form, "cron_format"), /value=/);
  for (const person of ["bob", "carol"] as const) {
    assert.doesNotMatch(await text(world.get(person, template)), /new\/edit|\/edit"|\/delete"/);
    assert.equal((await world.get(person, copy)).status, 403);
  }
});

Deno.test("a template's list of tasks says why one failed, with a link to the line", async () => {
  await using world = await newWorld();
  const { id, task } = await running(world, []);
  const end_reason = { key: "errors.run.time_limit", params: { seconds: 21 } };
  await advance(world.kv, task, "error", { end_reason, failure_line: 3 });
  const template = path(world, `/templates/${world.deploy.id}`);
  const reason = /<a (?=[^>]*class="clamp run-reason text-danger")[^>]*href="([^"]*)"/;
  const [, href] = reason.exec(await text(world.get("carol", template)))!;
  assert.equal(href, `${template}?t=${id}&amp;line=3`);
});

Deno.test("a template shows the next times of its schedules", async () => {
  await using world = await newWorld();
  const template = path(world, `/templates/${world.deploy.id}`);
  assert.doesNotMatch(await text(world.get("carol", template)), /Next runs/);
  const form = { template_id: world.deploy.id, cron_format: "0 3 * * *", timezone: "UTC" };
  const api = `/api${path(world, "/schedules")}`;
  const { body: nightly } = await world.api("mike", "POST", api, form);
  const shown = await text(world.get("carol", template));
  assert.match(shown, /Next runs/);
  const times = [...shown.matchAll(/<time dateTime="([^"]*)" title="[^"]* UTC" class="[^"]*">/gi)]
    .map(([, at]) => at);
  assert.deepEqual(times, nightly.next_runs.slice(0, 3));
  await world.api("mike", "PUT", `${api}/${nightly.id}/active`, { active: false });
  assert.match(await text(world.get("carol", template)), /Disabled/);

  const once = { ...form, type: "run_at", run_at: "2030-01-02T03:04:05Z", name: "New year" };
  const repository_id = world.web.repositoryId;
  const { body } = await world.api("mike", "POST", api, { ...once, repository_id });
  const key = rowKeys.resource("schedules", world.web.id, body.id);
  const { value } = await world.kv.get<ScheduleRow>(key);
  const last_error = { key: "errors.not_found", at: world.clock.now().toISOString() };
  await world.kv.set(key, { ...value, last_error });
  const more = await text(world.get("carol", template));
  assert.match(more, /New year.*Jan 2, 2030.*Playbooks/s);
  assert.match(
    more,
    /class="clamp text-danger"[^>]*>[^<]/,
    "why its newest run could not be started",
  );
});

/** Creates a running task with some output, without running anything. */
async function running(world: World, lines: string[]) {
  const started = await world.api("bob", "POST", `/api${path(world, "/tasks")}`, {
    template_id: world.deploy.id,
  });
  const task = { id: started.body.id as number, project_id: world.web.id };
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
  const { kv, hub, clock } = world.deps;
  const target = { kv, hub, clock, projectId: world.web.id, taskId: task.id };
  const writer = createLogWriter(target);
  for (const line of lines) writer.write(line);
  await writer.flush();
  return { id: task.id, task, writer };
}

Deno.test("all errors of a template are shown together, its questions too, and all input stays", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/templates/new/edit`;
  const response = await world.post("alice", path, {
    type: "build",
    description: "Typed",
    arguments: "none",
    "survey_vars.2.name": "1 release",
    "survey_vars.2.title": "Release",
    "survey_vars.2.type": "enum",
    "survey_vars.7.name": "count",
    "survey_vars.7.type": "int",
    "survey_vars.7.default_value": "many",
  });
  assert.equal(response.status, 422);
  const html = await htmlOf(response);
  const wrong = [
    "name",
    "playbook",
    "inventory_id",
    "repository_id",
    "environment_id",
    "start_version",
    "arguments",
  ];
  for (const field of wrong) assert.match(html, new RegExp(`id="field-${field}-error"`), field);
  for (const [field, text] of [["description", "Typed"], ["arguments", "none"]]) {
    assert.match(html, new RegExp(`name="${field}"[^>]*(value="${text}"|>${text})`), field);
  }
  // Removed rows leave gaps, so the remaining rows are numbered again from the first.
  assert.match(html, /value="1 release"/);
  assert.match(html, /value="many"/);
  const told = html.match(/href="#field-survey_vars-\d-(name|choices|title|default_value)"/g) ?? [];
  assert.equal(new Set(told).size, 4, told.join());
  for (const link of told) {
    const id = link.slice('href="#'.length, -1);
    assert.match(html, new RegExp(`id="${id}"`), `${id} leads to its field`);
  }
});

Deno.test("a template's page without schedules has no heading for them", async () => {
  await using world = await newWorld();
  const page = path(world, `/templates/${world.deploy.id}`);
  const html = await htmlOf(await world.get("mike", page));
  assert.match(html, /Add schedule/);
  assert.doesNotMatch(html, /id="schedules"/);
});

/** Returns whether a section of a form is open, and its summary. */
function sectionOf(html: string, id: string) {
  const [, attributes, text] = new RegExp(
    `<details id="${id}"([^>]*)>.*?class="fold-summary"[^>]*>([^<]*)<`,
  ).exec(html)!;
  return { isOpen: attributes.includes("open"), summary: text.trim() };
}

Deno.test("the sections of a template's form are folded, and say what they hold", async () => {
  await using world = await newWorld();
  const blank = await htmlOf(await world.get("mike", path(world, "/templates/new/edit")));
  for (const id of ["details", "limits", "keys", "before", "overrides", "schedule", "behavior"]) {
    const { isOpen, summary } = sectionOf(blank, `template-${id}`);
    assert.deepEqual([isOpen, /^(Not set|Default)$/.test(summary)], [false, true], id);
  }
  assert.equal(sectionOf(blank, "survey").summary, "Not set");

  const api = `/api${path(world, "/keys")}`;
  const key = { name: "Vault", type: "login_password", login_password: { password: "x" } };
  const { body: vault } = await world.api("mike", "POST", api, key);
  const question = { title: "Region", type: "", required: true };
  const { body: full } = await world.api("mike", "POST", `/api${path(world, "/templates")}`, {
    ...templateForm(world),
    description: "All of it",
    git_branch: "release",
    arguments: '["--diff"]',
    vaults: [{ vault_key_id: vault.id, name: "prod", type: "password" }],
    ssh_key_ids: [await addSshKey(world)],
    check_cron: "@daily",
    survey_vars: [{ ...question, name: "a" }, { ...question, name: "b" }],
    require_confirmation: true,
    allow_override_args_in_task: true,
    allow_parallel_tasks: true,
    task_params: { limit: ["web", "db"], allow_debug: false },
  });
  const expected = {
    "template-details": "Description",
    "template-limits": "Branch: release · Limit: web, db · CLI args",
    "template-keys": "Deploy · Vault · Vault ID: prod",
    "survey": "Region, Region",
    "template-before": "Approval",
    "template-overrides": "CLI args · No debug output",
    "template-schedule": "Check for drift: Daily",
    "template-behavior": "Parallel tasks",
  };
  for (const address of [`${full.id}/edit`, `new/edit?from=${full.id}`]) {
    const html = await htmlOf(await world.get("mike", path(world, `/templates/${address}`)));
    const summaries = Object.keys(expected).map((id) => [id, sectionOf(html, id).summary]);
    assert.deepEqual(Object.fromEntries(summaries), expected, address);
  }
});

Deno.test("a section is open after one of its buttons, and with an error in one of its fields", async () => {
  await using world = await newWorld();
  const openAfter = async (change: Record<string, string>) => {
    const answer = await world.post(
      "mike",
      path(world, "/templates/new/edit"),
      fields(world, change),
    );
    const open = (await htmlOf(answer)).match(/<details id="[\w-]+" class="fold [^>]*open/g) ?? [];
    return open.map((tag) => tag.split('"')[1]);
  };
  assert.deepEqual(await openAfter({ question: "add" }), ["survey"]);
  assert.deepEqual(await openAfter({ vault: "add" }), ["template-keys"]);
  assert.deepEqual(await openAfter({ name: "", arguments: "nonsense", "vaults.0.name": "a b" }), [
    "template-limits",
    "template-keys",
  ]);
  assert.deepEqual(await openAfter({ "survey_vars.0.name": "1", cron_format: "never" }), [
    "survey",
  ]);
});

Deno.test("the form of a task says what will run, and on how many hosts", async () => {
  await using world = await newWorld();
  const project = path(world, "");
  const put = async (what: string, change: object) => {
    const { body } = await world.api("mike", "GET", `/api${project}/${what}`);
    const changed = await world.api("mike", "PUT", `/api${project}/${what}`, {
      ...body,
      ...change,
    });
    assert.equal(changed.status, 204, JSON.stringify(changed.body));
  };
  const template = `templates/${world.deploy.id}`;
  const start = async () => await htmlOf(await world.get("bob", `${project}/${template}/tasks`));
  await put(`inventory/${world.web.inventoryId}`, { inventory: "[web]\nweb[1:30]", name: "Shops" });
  await put(template, { start_warning: "Restarts <b>everything</b>" });
  const html = await start();
  assert.match(html, /<h1[^>]*>Run Deploy shop<\/h1>/);
  assert.match(html, /Restarts &lt;b>everything&lt;\/b>/);
  assert.match(html, /<dt>Inventory<\/dt><dd>Shops\s*<span[^>]*>30 hosts<\/span>/);
  assert.match(html, /data-counted="Run on 30 hosts"/);
  assert.match(html, /<details class="reveal" *>\s*<summary[^>]*>Override template settings/);
  assert.doesNotMatch(html, /Limited to/);

  // The last run shows that the playbook does not address all hosts.
  const { id, task } = await running(world, []);
  await advance(world.kv, task, "success");
  await world.kv.set(rowKeys.taskResultHead(id), { hosts: 5 });
  assert.doesNotMatch(await start(), /data-counted/);
  // It also stands for an inventory that only Ansible can read.
  const file = { type: "file", inventory: "hosts" };
  await put(`inventory/${world.web.inventoryId}`, file);
  assert.match(await start(), /data-counted="Run on 5 hosts"/);

  // Nobody knows how many hosts a limit leaves.
  await put(template, { task_params: { limit: ["web"], allow_override_limit: true } });
  const limited = await start();
  assert.match(limited, /<dt>Limited to<\/dt><dd>web<\/dd>/);
  assert.doesNotMatch(limited, /data-counted/);
  const wrong = await htmlOf(
    await world.post("bob", `${project}/${template}/tasks`, { limit: "@/etc/passwd" }),
  );
  assert.match(wrong, /<details class="reveal" open>\s*<summary[^>]*>Override template settings/);
});
