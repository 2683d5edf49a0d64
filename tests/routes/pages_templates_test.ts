import assert from "node:assert/strict";
import { createLogWriter } from "@/lib/tasks/log_store.ts";
import { advance } from "@/lib/tasks/repository.ts";
import { newWorld, type World } from "@/tests/support/world.ts";

const path = (world: World, rest: string) => `/project/${world.web.id}${rest}`;

/** What the form of a template sends. */
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

Deno.test("Mike makes a template with a survey, without any script", async () => {
  await using world = await newWorld();
  const form = path(world, "/templates/new/edit");
  const blank = await text(world.get("mike", form));
  assert.match(blank, /<h1>New Template<\/h1>/);

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
  const task_params = { allow_override_limit: true, custom: { kept: 1 } };
  assert.equal((await world.api("mike", "PUT", api, { ...before, task_params })).status, 204);
  const saved = await world.post(
    "mike",
    path(world, `/templates/${world.deploy.id}/edit`),
    fields(world, { name: "Renamed" }),
  );
  assert.equal(saved.status, 303, await saved.text());
  const { body: after } = await world.api("mike", "GET", api);
  assert.equal(after.name, "Renamed");
  assert.equal(after.task_params.allow_override_limit, true);
  assert.deepEqual(after.task_params.custom, { kept: 1 });
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
  assert.match(html, /class="task-overlay"/);
  assert.match(html, /<span[^>]* class="ansi-green-fg">ok: \[web\]<\/span>/);
  assert.match(html, /> &lt;script>alert\(1\)/);
  assert.match(
    html,
    new RegExp(`href="${path(world, "/templates")}#task-${id}" class="icon-button`),
  );
  await advance(world.kv, task, "error");
  const unknown = await world.get("carol", path(world, "/templates?t=999"));
  assert.equal(unknown.status, 200);
  assert.doesNotMatch(await unknown.text(), /task-overlay/);
});

Deno.test("without script, a task's page is sent as the lines come, and ends with the status", async () => {
  await using world = await newWorld();
  const { id, task, writer } = await running(world, ["first"]);
  const response = await world.get("carol", path(world, `/tasks/${id}`));
  assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self'(;| )/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let html = "";
  const until = async (wanted: RegExp) => {
    while (!wanted.test(html)) {
      const { done, value } = await reader.read();
      assert.equal(done, false, `the page ended without ${wanted}`);
      html += value;
    }
  };
  await until(/first<\/span>/);
  assert.match(html, />1<\/a> <time.*<\/time> <span/, "a text browser keeps the columns apart");
  assert.doesNotMatch(html, /<\/html>/);
  writer.write("second");
  await writer.flush();
  await until(/second<\/span>/);
  await advance(world.kv, task, "success", {}, { also: (op) => writer.close(op) });
  await until(/data-status="success"[\s\S]*<\/html>/);
  await reader.cancel();
});

/** A running task with some output, without running anything. */
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
