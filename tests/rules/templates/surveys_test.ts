import assert from "node:assert/strict";
import { parseAllowedUrls } from "@/lib/base/settings/survey_urls.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

interface Question {
  name: string;
  choices_from?: unknown;
}

const values = (...texts: string[]) => texts.map((value) => ({ name: value, value }));

/** Questions of all types, the last two of which depend on earlier answers. */
const SURVEY = [
  {
    name: "env",
    title: "Environment",
    type: "enum",
    required: true,
    values: values("dev", "prod"),
  },
  { name: "services", title: "Services", type: "select", values: values("api", "web", "db") },
  { name: "notes", title: "Notes", type: "text" },
  { name: "day", title: "Day", type: "date" },
  {
    name: "ticket",
    title: "Ticket",
    required: true,
    only_if: { name: "env", values: ["prod"] },
  },
];

async function addTemplate(world: World, survey_vars: object[]) {
  const form = templateForm(world, { name: "Asks", survey_vars });
  const { status, body } = await world.api(
    "mike",
    "POST",
    `/api/project/${world.web.id}/templates`,
    form,
  );
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const startPath = ({ web }: World, id: number) => `/project/${web.id}/templates/${id}/tasks`;

async function latestAnswers({ api, web }: World): Promise<Record<string, unknown>> {
  const [task] = (await api("alice", "GET", `/api/project/${web.id}/tasks`)).body;
  return JSON.parse(task.environment);
}

Deno.test("a survey of newer clients is stored, answered alike and asked", async () => {
  await using world = await newWorld();
  const { id, survey_vars } = await addTemplate(world, [
    ...SURVEY,
    { name: "tags", title: "Tags", type: "select", values: values("a", "b"), default_value: "a" },
  ]);
  assert.deepEqual(
    survey_vars.map(({ type }: { type: string }) => type),
    ["enum", "select", "text", "date", "", "select"],
  );
  assert.deepEqual(survey_vars[4].only_if, { name: "env", values: ["prod"] });
  assert.deepEqual(survey_vars[5].default_value, ["a"]);
  const path = `/api/project/${world.web.id}/templates/${id}`;
  const { body } = await world.api("mike", "GET", path);
  assert.deepEqual(body.survey_vars, survey_vars);
  assert.equal((await world.api("mike", "PUT", path, body)).status, 204);
  assert.deepEqual((await world.api("mike", "GET", path)).body.survey_vars, survey_vars);
  const older = { ...body, survey_vars: SURVEY.map(({ only_if: _, ...asked }) => asked) };
  assert.equal((await world.api("mike", "PUT", path, older)).status, 204);
  const { body: after } = await world.api("mike", "GET", path);
  assert.deepEqual(after.survey_vars[4].only_if, { name: "env", values: ["prod"] });

  const tasks = `/api/project/${world.web.id}/tasks`;
  const start = (environment: object) =>
    world.api("bob", "POST", tasks, {
      template_id: id,
      environment: JSON.stringify(environment),
    });
  const started = await start({ env: "dev", services: ["api", "db"], notes: "a\nb", ticket: "x" });
  assert.equal(started.status, 201, JSON.stringify(started.body));
  assert.deepEqual(JSON.parse(started.body.environment), {
    env: "dev",
    services: ["api", "db"],
    notes: "a\nb",
  });
  const refused = await start({ env: "prod", services: ["mail"] });
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body.fields).toSorted(), ["services", "ticket"]);
});

Deno.test("a form without a script asks what depends on the answers, and loses nothing", async () => {
  await using world = await newWorld();
  const { id } = await addTemplate(world, SURVEY);
  const path = startPath(world, id);
  const first = await htmlOf(await world.get("bob", path));
  assert.doesNotMatch(first, /field-answers-ticket/);
  assert.match(first, /name="refresh_choices" value="reload"/);
  assert.match(first, /<textarea[^>]* name="answers\.notes"/);
  const typed = {
    message: "Friday",
    "answers.env": "prod",
    "answers.services.0": "",
    "answers.services.1": "web",
    "answers.notes": "one\r\ntwo",
    "answers.day": "today",
  };
  const again = await world.post("bob", path, { ...typed, refresh_choices: "reload" });
  assert.equal(again.status, 200);
  const html = await again.text();
  assert.match(html, /id="field-answers-ticket"/);
  assert.match(html, /value="Friday"/);
  assert.match(html, /one\ntwo<\/textarea>/);
  assert.match(html, /<input[^>]* value="web"[^>]* checked/);
  assert.doesNotMatch(html, /<input[^>]* value="api"[^>]* checked/);

  const missing = await world.post("bob", path, typed);
  assert.equal(missing.status, 422);
  assert.match(await missing.text(), /id="field-answers-ticket-error"/);

  const back = await world.post("bob", path, {
    ...typed,
    "answers.env": "dev",
    "answers.ticket": "T-1",
    refresh_choices: "reload",
  });
  assert.match(await back.text(), /<input[^>]* type="hidden" name="answers.ticket" value="T-1"/);

  const started = await world.post("bob", path, { ...typed, "answers.ticket": "T-1" });
  assert.equal(started.status, 303, await started.text());
  assert.deepEqual(await latestAnswers(world), {
    env: "prod",
    services: ["web"],
    notes: "one\ntwo",
    day: "today",
    ticket: "T-1",
  });
  const none = { "answers.env": "dev", "answers.services": "" };
  assert.equal((await world.post("bob", path, none)).status, 303);
  assert.deepEqual(await latestAnswers(world), { env: "dev", services: [] });
});

Deno.test("the only choice of a question is filled in, and others are asked with it", async () => {
  await using world = await newWorld();
  const only = { name: "env", title: "Env", type: "enum", required: true, values: values("prod") };
  const { id } = await addTemplate(world, [only, SURVEY.at(-1)!]);
  const html = await htmlOf(await world.get("bob", startPath(world, id)));
  assert.match(html, /<option value="prod" selected/);
  assert.match(html, /id="field-answers-ticket"/);
});

Deno.test("a default that Bob clears stays cleared, in forms, calls and a schedule's form", async () => {
  await using world = await newWorld();
  const { id } = await addTemplate(world, [
    { name: "note", title: "Note", default_value: "none" },
    { name: "count", title: "Count", type: "int", default_value: "3" },
    { name: "plain", title: "Plain" },
  ]);
  const form = startPath(world, id);
  const cleared = { "answers.note": "", "answers.count": "", "answers.plain": "" };
  assert.equal((await world.post("bob", form, cleared)).status, 303);
  assert.deepEqual(await latestAnswers(world), { note: "" });
  const tasks = `/api/project/${world.web.id}/tasks`;
  const start = (environment: object) =>
    world.api("bob", "POST", tasks, { template_id: id, environment: JSON.stringify(environment) });
  assert.equal((await start({ note: "", plain: "", count: null })).status, 201);
  assert.deepEqual(await latestAnswers(world), { note: "", plain: "", count: 3 });

  const environment = '{"note":""}';
  const schedules = `/api/project/${world.web.id}/schedules`;
  const { body: made } = await world.api("mike", "POST", schedules, {
    template_id: id,
    name: "Nightly",
    cron_format: "@daily",
    active: true,
    task_params: { environment },
  });
  const page = `/project/${world.web.id}/schedules/${made.id}`;
  const fields = { template_id: `${id}`, name: "Daily", cron_format: "@daily", active: "true" };
  const saved = await world.post("mike", page, { ...fields, ...cleared });
  assert.equal(saved.status, 303, await saved.text());
  const { body: stored } = await world.api("mike", "GET", `${schedules}/${made.id}`);
  assert.deepEqual(JSON.parse(stored.task_params.environment), { note: "" });
  const repeated = { ...stored.task_params, template_id: id };
  assert.equal((await world.api("bob", "POST", tasks, repeated)).status, 201);
  assert.deepEqual(await latestAnswers(world), { note: "", count: 3 });
});

Deno.test("a task that is repeated shows the choices that it had", async () => {
  await using world = await newWorld();
  const { id } = await addTemplate(world, SURVEY);
  const { body: task } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: id,
    environment: { env: "prod", services: ["api", "db"], ticket: "T-1" },
  });
  const html = await htmlOf(await world.get("bob", `${startPath(world, id)}?from=${task.id}`));
  const ticked = [...html.matchAll(/<input[^>]* name="answers.services"[^>]* checked/g)];
  assert.equal(ticked.length, 2);
  assert.match(html, /name="answers\.ticket"[^>]* value="T-1"/);
});

Deno.test("Mike edits sources and conditions of a survey without a script", async () => {
  await using world = await newWorld();
  const form = `/project/${world.web.id}/templates/new/edit`;
  const typed = {
    type: "",
    name: "Asks",
    playbook: "site.yml",
    inventory_id: String(world.web.inventoryId),
    repository_id: String(world.web.repositoryId),
    environment_id: String(world.web.environmentId),
    "survey_vars.0.name": "region",
    "survey_vars.0.title": "Region",
    "survey_vars.0.type": "enum",
    "survey_vars.0.choices_from.source": "file",
    "survey_vars.0.choices_from.path": "vars/regions.yml",
    "survey_vars.0.choices_from.key": "regions",
    "survey_vars.0.choices": "",
    "survey_vars.1.name": "sizes",
    "survey_vars.1.title": "Sizes",
    "survey_vars.1.type": "select",
    "survey_vars.1.choices_from.source": "",
    "survey_vars.1.choices": "small\r\nlarge",
    "survey_vars.1.default_value": "small, large",
    "survey_vars.1.only_if.name": "region",
    "survey_vars.1.only_if.values": "eu\r\nus",
  };
  for (
    const [field, text] of [["0-choices_from-path", "../secret"], ["1-only_if-name", "zone"]]
  ) {
    const name = `survey_vars.${field.replaceAll("-", ".")}`;
    const wrong = await world.post("mike", form, { ...typed, [name]: text });
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), new RegExp(`id="field-survey_vars-${field}-error"`));
  }

  const saved = await world.post("mike", form, typed);
  assert.equal(saved.status, 303, await saved.text());
  const { body } = await world.api("mike", "GET", `/api/project/${world.web.id}/templates`);
  const { id, survey_vars } = body.find(({ name }: { name: string }) => name === "Asks");
  assert.deepEqual(survey_vars[0].choices_from, {
    source: "file",
    path: "vars/regions.yml",
    key: "regions",
  });
  assert.deepEqual(survey_vars[1].only_if, { name: "region", values: ["eu", "us"] });
  assert.deepEqual(survey_vars[1].default_value, ["small", "large"]);
  const shown = await htmlOf(
    await world.get("mike", `/project/${world.web.id}/templates/${id}/edit`),
  );
  assert.match(shown, /value="vars\/regions.yml"/);
  assert.match(shown, />eu us<\/textarea>/);
  assert.match(shown, /value="small, large"/);
});

Deno.test("a survey comes back from a backup with its sources and conditions", async () => {
  await using world = await newWorld();
  const survey_vars = [
    ...SURVEY,
    {
      name: "zone",
      title: "Zone",
      type: "enum",
      choices_from: { source: "file", path: "a.yml", key: "zones", by: "env" },
    },
  ];
  const made = await addTemplate(world, survey_vars);
  const { body: file } = await world.api("alice", "GET", `/api/project/${world.web.id}/backup`);
  file.meta.name = "Restored";
  const restored = await world.api("erin", "POST", "/api/projects/restore", file);
  assert.equal(restored.status, 200, JSON.stringify(restored.body));
  const path = `/api/project/${restored.body.id}/templates`;
  const { body } = await world.api("erin", "GET", path);
  const asks = body.find(({ name }: { name: string }) => name === "Asks");
  assert.deepEqual(asks.survey_vars, made.survey_vars);
});

Deno.test("people who may only run tasks see choices, and no secret of an address", async () => {
  await using cmdb = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => Response.json({ eu: ["a", "b"], us: ["c"] }),
  );
  const origin = `http://127.0.0.1:${cmdb.addr.port}`;
  const surveyUrls = parseAllowedUrls(origin, () => assert.fail());
  await using world = await newWorld({ config: { surveyUrls } });
  const url = `${origin}/zones?token=s3cret`;
  const { id } = await addTemplate(world, [
    { name: "env", title: "Env", type: "enum", values: values("eu", "us") },
    {
      name: "zone",
      title: "Zone",
      type: "enum",
      choices_from: { source: "url", url, by: "env" },
    },
  ]);
  const path = `/api/project/${world.web.id}/templates`;
  for (const person of ["bob", "carol"] as const) {
    for (const read of [path, `${path}/${id}`]) {
      const { status, body } = await world.api(person, "GET", read);
      assert.equal(status, 200);
      assert.ok(!JSON.stringify(body).includes("s3cret"), `${person} ${read}`);
    }
  }
  const { body } = await world.api("mike", "GET", `${path}/${id}`);
  assert.equal(body.survey_vars[1].choices_from.url, url);
  const listed = await world.api("bob", "GET", `${path}/${id}/choices`);
  assert.deepEqual(listed.body[1], {
    name: "zone",
    choices: null,
    choices_by_answer: {
      eu: [{ name: "a", value: "a" }, { name: "b", value: "b" }],
      us: [{ name: "c", value: "c" }],
    },
    as_of: null,
  });
  assert.equal((await world.api("carol", "GET", `${path}/${id}/choices`)).status, 403);
  // A client that knows no sources sends the question without them.
  const sent = body.survey_vars.map(({ choices_from: _, ...question }: Question) => question);
  const put = await world.api("mike", "PUT", `${path}/${id}`, { ...body, survey_vars: sent });
  assert.equal(put.status, 204, JSON.stringify(put.body));
  const kept = await world.api("mike", "GET", `${path}/${id}`);
  assert.equal(kept.body.survey_vars[1].choices_from.url, url);
  sent[1].name = "other";
  const other = await world.api("mike", "PUT", `${path}/${id}`, { ...body, survey_vars: sent });
  assert.equal(other.status, 400);
  assert.match(other.body.fields["survey_vars.1.values"], /./);
  const html = await htmlOf(
    await world.post("bob", startPath(world, id), { "answers.env": "us", refresh_choices: "x" }),
  );
  assert.match(html, /<option value="c"/);
  assert.doesNotMatch(html, /s3cret/);
});

Deno.test("people who may only run workflows see choices, and no secret of an address", async () => {
  await using cmdb = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) =>
      request.url.endsWith("s3cret")
        ? Response.json(["a", "b"])
        : new Response(null, { status: 403 }),
  );
  const origin = `http://127.0.0.1:${cmdb.addr.port}`;
  const surveyUrls = parseAllowedUrls(origin, () => assert.fail());
  await using world = await newWorld({ config: { surveyUrls } });
  const path = `/api/project/${world.web.id}/workflows`;
  const choices_from = { source: "url", url: `${origin}/zones?token=s3cret` };
  const made = await world.api("mike", "POST", path, {
    name: "Release",
    steps: [{ kind: "template", template_id: world.web.templateId, name: "Deploy" }],
    survey_vars: [{ name: "zone", title: "Zone", type: "enum", choices_from }],
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  for (const person of ["bob", "carol"] as const) {
    for (const read of [path, `${path}/${made.body.id}`]) {
      const { status, body } = await world.api(person, "GET", read);
      assert.equal(status, 200);
      assert.ok(!JSON.stringify(body).includes("s3cret"), `${person} ${read}`);
    }
  }
  const { body } = await world.api("mike", "GET", `${path}/${made.body.id}`);
  assert.deepEqual(body.survey_vars[0].choices_from, choices_from);
  const run = `/project/${world.web.id}/workflows/${made.body.id}/run`;
  const html = await htmlOf(await world.get("bob", run));
  assert.match(html, /<option value="a"/);
  assert.doesNotMatch(html, /s3cret/);
});

Deno.test("odd answers are stored as text or refused, and never break the server", async () => {
  await using world = await newWorld();
  const { id: template_id } = await addTemplate(world, SURVEY);
  const odd = [
    { toString: 1 },
    JSON.parse('{"__proto__":{}}'),
    [{ a: 1 }, { toString: 1 }],
    [[["x"]]],
    [null],
    "x".repeat(1024 * 1024),
    Array.from({ length: 20_000 }, () => "x"),
    "\0",
  ];
  const tasks = `/api/project/${world.web.id}/tasks`;
  for (const name of ["env", "services", "notes", "day"]) {
    for (const value of odd) {
      for (const person of ["bob", "mike"] as const) {
        const environment = JSON.stringify({ env: "dev", [name]: value });
        const { status } = await world.api(person, "POST", tasks, { template_id, environment });
        assert.ok(status >= 400 && status < 500, `${name} ${environment.slice(0, 60)}: ${status}`);
      }
    }
  }
  for (const environment of ['{"env":"dev","__proto__":{"a":1}}', '{"constructor":"x"}']) {
    const { status } = await world.api("bob", "POST", tasks, { template_id, environment });
    assert.ok(status < 500, environment);
  }
});

Deno.test("a schedule and a webhook are refused an answer that is not offered", async () => {
  await using world = await newWorld();
  const { id } = await addTemplate(world, SURVEY);
  const form = `/project/${world.web.id}/schedules/new`;
  const answer = await world.post("mike", form, {
    template_id: String(id),
    name: "Nightly",
    cron_format: "0 3 * * *",
    repeat: "custom",
    active: "true",
    "answers.env": "dev",
    "answers.services.0": "",
    "answers.services.1": "mail",
  });
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /id="field-answers-services-error"/);

  const integrations = `/api/project/${world.web.id}/integrations`;
  const { body: made } = await world.api("mike", "POST", integrations, {
    name: "Push",
    template_id: id,
  });
  await world.api("mike", "POST", `${integrations}/${made.id}/values`, {
    name: "Services",
    value_source: "body",
    body_data_type: "json",
    key: "services",
    variable: "services",
    variable_type: "environment",
  });
  await world.api("mike", "POST", `${integrations}/${made.id}/values`, {
    name: "Env",
    value_source: "body",
    body_data_type: "json",
    key: "env",
    variable: "env",
    variable_type: "environment",
  });
  const { body: alias } = await world.api("mike", "POST", `${integrations}/${made.id}/aliases`);
  const call = async (services: unknown) =>
    (await world.request(new URL(alias.url).pathname, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ env: "dev", services }),
    })).status;
  assert.equal(await call(["mail"]), 400);
  assert.ok(await call(["api", "db"]) < 300);
  assert.deepEqual((await latestAnswers(world)).services, ["api", "db"]);
});

Deno.test("a workflow names only addresses of choices that the settings allow, or that it had", async () => {
  const surveyUrls = parseAllowedUrls("http://cmdb.example.com/api", () => assert.fail());
  await using world = await newWorld({ config: { surveyUrls } });
  const path = `/api/project/${world.web.id}/workflows`;
  const asking = (url: string) => ({
    name: "Release",
    steps: [{ kind: "wait", minutes: 1 }],
    survey_vars: [
      { name: "zone", title: "Zone", type: "enum", choices_from: { source: "url", url } },
    ],
  });
  const allowed = asking("http://cmdb.example.com/api/zones");
  const other = asking("http://169.254.169.254/latest/meta-data");
  const made = await world.api("mike", "POST", path, allowed);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const own = `${path}/${made.body.id}`;
  for (const [method, to] of [["POST", path], ["PUT", own]]) {
    const { status, body } = await world.api("mike", method, to, other);
    assert.equal(status, 400, method);
    assert.deepEqual(Object.keys(body.fields), ["survey_vars.0.choices_from.url"]);
  }
  world.deps.config.surveyUrls = [];
  assert.equal((await world.api("mike", "PUT", own, allowed)).status, 204);
});
