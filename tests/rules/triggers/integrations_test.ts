import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { AUTH_METHODS } from "@/lib/triggers/integrations/schema.ts";
import { readAnswers } from "@/lib/tasks/answer_store.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import { tell } from "@/lib/i18n/tell.ts";
import { translator } from "@/lib/i18n/translate.ts";
import { listEvents } from "@/lib/events/service.ts";
import { integrationRows } from "@/lib/triggers/integrations/repository.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { findTask } from "@/lib/model/tasks.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import type { TemplateRow } from "@/lib/templates/schema.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const integrationsOf = (world: World) => `/api/project/${world.web.id}/integrations`;
const tasksOf = ({ kv, web }: World) => listTaskRows(kv, web.id, { limit: 1_000 });

/** Calls the API as Alice, who has the permission. Returns the answer's body. */
async function alice(world: World, method: string, path: string, body?: unknown, status?: number) {
  const answer = await world.api("alice", method, path, body);
  const expected = status ?? { GET: 200, POST: 201, PUT: 204, DELETE: 204 }[method];
  assert.equal(answer.status, expected, `${method} ${path} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

interface Made {
  id: number;
  path: string;
  /** The address for calls. */
  url: string;
}

/** Creates an integration of Alice's with its own address, matchers and values. */
async function make(
  world: World,
  form: Record<string, unknown> = {},
  { matchers = [], values = [] }: { matchers?: object[]; values?: object[] } = {},
): Promise<Made> {
  const body = { name: "Git push", template_id: world.web.templateId, ...form };
  const { id } = await alice(world, "POST", integrationsOf(world), body);
  const path = `${integrationsOf(world)}/${id}`;
  for (const matcher of matchers) await alice(world, "POST", `${path}/matchers`, matcher, 200);
  for (const value of values) await alice(world, "POST", `${path}/values`, value);
  const { url } = await alice(world, "POST", `${path}/aliases`, undefined, 200);
  return { id, path, url };
}

async function makeSecret(world: World, password: string): Promise<number> {
  const form = { name: "Hook", type: "login_password", login_password: { login: "", password } };
  return (await alice(world, "POST", `/api/project/${world.web.id}/keys`, form)).id;
}

/** Sends a webhook's call without signing in. */
async function call(world: World, url: string, init: RequestInit = {}) {
  return await readAnswer(await world.request(new URL(url).pathname, { method: "POST", ...init }));
}

const json = (value: unknown, headers: HeadersInit = {}): RequestInit => ({
  body: JSON.stringify(value),
  headers: { "Content-Type": "application/json", ...headers },
});

const matcher = (key: string, value: string, other: object = {}) => ({
  name: `${key} is ${value}`,
  match_type: "body",
  body_data_type: "json",
  key,
  method: "equals",
  value,
  ...other,
});

const extractValue = (key: string, variable: string, other: object = {}) => ({
  name: variable,
  value_source: "body",
  body_data_type: "json",
  key,
  variable,
  ...other,
});

async function changeTemplate(world: World, change: Partial<TemplateRow>): Promise<void> {
  await transact(world.kv, async (op) => {
    await templateRows.update(world.kv, op, world.web.id, world.web.templateId, (row) => ({
      ...row,
      ...change,
    }));
  });
}

const question = (name: string, other: Partial<SurveyVar> = {}): SurveyVar => ({
  name,
  title: name,
  description: "",
  type: "",
  required: false,
  values: [],
  target: "",
  default_value: "",
  ...other,
});

Deno.test("Alice creates an integration, changes it and deletes it", async () => {
  await using world = await newWorld();
  const secretId = await makeSecret(world, "s3cret");
  const sent = {
    project_id: world.web.id,
    name: "Git push",
    template_id: world.web.templateId,
    auth_method: "hmac",
    auth_header: "X-Sign",
    auth_secret_id: secretId,
    searchable: true,
  };
  const made = await alice(world, "POST", integrationsOf(world), sent);
  const view = {
    ...sent,
    ...{ id: made.id, workflow_id: null, task_params: null, keep_bodies: false, if_waiting: "all" },
  };
  assert.deepEqual(made, view);
  const path = `${integrationsOf(world)}/${made.id}`;
  assert.deepEqual(await alice(world, "GET", path), view);
  assert.deepEqual(await alice(world, "GET", integrationsOf(world)), [view]);

  await alice(world, "PUT", path, { ...view, keep_bodies: true, task_params: { diff: true } });
  assert.deepEqual((await alice(world, "GET", path)).task_params, { diff: true });
  await alice(world, "PUT", path, { ...sent, id: made.id, name: "Renamed", searchable: false });
  assert.deepEqual(await alice(world, "GET", path), {
    ...view,
    name: "Renamed",
    searchable: false,
  });
  const refs = await alice(world, "GET", `${path}/refs`);
  assert.deepEqual(Object.values(refs).flat(), []);
  await alice(world, "DELETE", path);
  await alice(world, "GET", path, undefined, 404);
});

Deno.test("an invalid integration is refused with the field's name", async () => {
  await using world = await newWorld();
  const cases: [Record<string, unknown>, number, string][] = [
    [{ name: " " }, 400, "name"],
    [{ template_id: {} }, 400, "template_id"],
    [{ template_id: 999 }, 404, "template_id"],
    [{ auth_method: "digest" }, 400, "auth_method"],
    [{ auth_secret_id: 999 }, 404, "auth_secret_id"],
    [{ auth_header: "X Token" }, 400, "auth_header"],
    [{ task_params: { environment: "no json" } }, 400, "task_params.environment"],
  ];
  for (const [wrong, status, field] of cases) {
    const form = { name: "Hook", template_id: world.web.templateId, ...wrong };
    const answer = await world.api("alice", "POST", integrationsOf(world), form);
    const told = JSON.stringify([wrong, answer.body]);
    assert.equal(answer.status, status, told);
    assert.ok(field in answer.body.fields, told);
  }
});

Deno.test("matchers and values are kept with their integration, and only with it", async () => {
  await using world = await newWorld();
  const { path, id } = await make(world);
  const other = await make(world, { name: "Other" });
  for (
    const [list, form, changed] of [
      ["matchers", matcher("ref", "main"), { value: "dev", method: "contains" }],
      ["values", extractValue("after", "commit"), { variable: "sha", key: "head" }],
    ] as const
  ) {
    const status = list === "matchers" ? 200 : 201;
    const sent = { ...form, integration_id: String(id) };
    const made = await alice(world, "POST", `${path}/${list}`, sent, status);
    assert.deepEqual(made, { ...form, id: made.id, integration_id: id });
    assert.deepEqual(await alice(world, "GET", `${path}/${list}`), [made]);
    const item = `${path}/${list}/${made.id}`;
    assert.deepEqual(await alice(world, "GET", item), made);
    assert.deepEqual((await alice(world, "GET", `${item}/refs`)).integrations, []);
    await alice(world, "PUT", item, { ...form, ...changed });
    assert.deepEqual(await alice(world, "GET", item), { ...made, ...changed });
    await alice(world, "PUT", item, { ...made, id: made.id + 1 }, 400);
    await alice(world, "POST", `${path}/${list}`, { ...form, integration_id: other.id }, 400);
    for (const wrong of [`${other.path}/${list}/${made.id}`, `${path}/${list}/999`]) {
      await alice(world, "GET", wrong, undefined, 404);
      await alice(world, "GET", `${wrong}/refs`, undefined, 404);
      await alice(world, "PUT", wrong, form, 404);
      await alice(world, "DELETE", wrong, undefined, 404);
    }
    await alice(world, "DELETE", item);
    assert.deepEqual(await alice(world, "GET", `${path}/${list}`), []);
  }
});

Deno.test("a matcher or value that could never work is refused", async () => {
  await using world = await newWorld();
  const { path } = await make(world);
  const header = { match_type: "header", value_source: "header", body_data_type: "" };
  const cases: [string, Record<string, unknown>, string][] = [
    ["matchers", matcher("ref", "x", { match_type: undefined }), "match_type"],
    ["matchers", matcher("ref", "x", { match_type: "query" }), "match_type"],
    ["matchers", matcher("ref", "x", { body_data_type: "" }), "body_data_type"],
    ["matchers", matcher("ref", "x", { method: "==" }), "method"],
    ["matchers", matcher("", "x", { name: "n" }), "key"],
    ["matchers", matcher("ref", ""), "value"],
    ["matchers", matcher("X Event", "x", header), "key"],
    ["values", extractValue("ref", ""), "variable"],
    ["values", extractValue("ref", "two words", { name: "n" }), "variable"],
    ["values", extractValue("host", "ansible_host"), "variable"],
    ["values", extractValue("host", "inventory_hostname"), "variable"],
    ["values", extractValue("", "sha", { name: "n" }), "key"],
    ["values", extractValue("ref", "sha", { body_data_type: "xml" }), "body_data_type"],
  ];
  for (const [list, form, field] of cases) {
    const { status, body } = await world.api("alice", "POST", `${path}/${list}`, form);
    const told = JSON.stringify([form, body]);
    assert.equal(status, 400, told);
    assert.ok(field in body.fields, told);
  }
  // A value taken from the whole body needs no path.
  await alice(
    world,
    "POST",
    `${path}/matchers`,
    matcher("", "x", { name: "n", body_data_type: "string" }),
    200,
  );
});

Deno.test("addresses cannot be guessed, and only who may run tasks sees them", async () => {
  await using world = await newWorld();
  const { id, path, url } = await make(world);
  assert.match(url, /^http:\/\/callboard\.test\/api\/integrations\/[a-z0-9]{16}$/);
  const second = await alice(world, "POST", `${path}/aliases`, undefined, 200);
  const projects = `${integrationsOf(world)}/aliases`;
  const shared = await alice(world, "POST", projects, undefined, 200);
  assert.equal(new Set([url, second.url, shared.url]).size, 3);
  assert.deepEqual((await alice(world, "GET", `${path}/aliases`)).map((row: Made) => row.url), [
    url,
    second.url,
  ]);
  assert.deepEqual(await alice(world, "GET", projects), [shared]);
  for (const list of [`${path}/aliases`, projects]) {
    const { body: all } = await world.api("alice", "GET", list);
    for (const person of ["mike", "bob", "erin"] as const) {
      assert.deepEqual((await world.api(person, "GET", list)).body, all);
    }
    const { body: hidden } = await world.api("carol", "GET", list);
    assert.deepEqual(hidden, all.map(({ id }: Made) => ({ id, url: "" })));
    assert.equal((await world.api("dave", "GET", list)).status, 404);
  }
  await alice(world, "DELETE", `${path}/aliases/${shared.id}`, undefined, 404);
  await alice(world, "DELETE", `${projects}/999`, undefined, 404);
  const theirs = `/api/project/${world.lab.id}/integrations/aliases/${second.id}`;
  assert.equal((await world.api("dave", "DELETE", theirs)).status, 404);
  const page = `/project/${world.web.id}/integrations/aliases/${shared.id}/delete`;
  assert.equal((await world.get("bob", page)).status, 403);
  // Uses the project's path, like clients that know no other.
  await alice(world, "DELETE", `${projects}/${second.id}`);
  assert.equal((await call(world, second.url)).status, 404);
  assert.equal((await call(world, url)).status, 200);
  await alice(world, "DELETE", path);
  assert.equal((await call(world, url)).status, 404);
  assert.equal((await call(world, shared.url)).status, 200);
  const { events } = await listEvents(
    await openProject({ deps: world.deps, actor: world.people.alice.actor }, world.web.id),
  );
  assert.deepEqual(
    events.filter((event) => event.integration_id === id).map((event) =>
      tell(event.description, translator("en"))
    ),
    [
      'Integration "Git push" was deleted',
      'An alias of integration "Git push" was deleted',
      'An alias was added to integration "Git push"',
      'An alias was added to integration "Git push"',
      'Integration "Git push" was created',
    ],
  );
});

Deno.test("behind a public address, that is what the addresses begin with", async () => {
  await using world = await newWorld({
    config: { url: new URL("https://ops.example.com/board"), basePath: "/board" },
  });
  const path = `/board${integrationsOf(world)}`;
  const { body } = await world.api("alice", "POST", `${path}/aliases`);
  assert.match(body.url, /^https:\/\/ops\.example\.com\/board\/api\/integrations\/[a-z0-9]{16}$/);
  assert.equal(
    (await call(world, body.url, { headers: { Origin: "https://x.example" } })).status,
    200,
  );
});

Deno.test("a call that matches starts a task, and says which", async () => {
  await using world = await newWorld();
  const { id, url } = await make(world, { task_params: { message: "pushed", diff: true } }, {
    matchers: [
      matcher("ref", "refs/heads/main"),
      matcher("X-Event", "push", { match_type: "header" }),
      matcher("commits.[0].author", "ali", { method: "contains" }),
      matcher("deleted", "true", { method: "unequals" }),
      matcher("", "refs/heads/main", { name: "all", body_data_type: "string", method: "contains" }),
    ],
    values: [
      extractValue("after", "commit"),
      extractValue("X-Event", "event", { value_source: "header" }),
      extractValue("id", "number"),
      extractValue("missing", "missing"),
    ],
  });
  const push = {
    ref: "refs/heads/main",
    after: "abc",
    id: 12345678,
    deleted: false,
    commits: [{ author: "alice" }],
  };
  const answer = await call(world, url, json(push, { "x-event": "push" }));
  assert.equal(answer.status, 200);
  const [task] = await tasksOf(world);
  assert.deepEqual(answer.body, {
    tasks: [{
      id: task.id,
      template_id: world.web.templateId,
      project_id: world.web.id,
      integration_id: id,
    }],
    runs: [],
    results: [
      { integration_id: id, result: "started", task_id: task.id, run_id: null, reason: null },
    ],
  });
  assert.equal(answer.headers.get("X-Semaphore-Task-ID"), String(task.id));
  assert.equal(answer.headers.get("X-Semaphore-Template-ID"), String(task.template_id));
  assert.equal(answer.headers.get("X-Semaphore-Project-ID"), String(world.web.id));
  assert.equal(answer.headers.get("X-Semaphore-Integration-ID"), String(id));
  assert.deepEqual(JSON.parse(task.environment), {
    commit: "abc",
    event: "push",
    number: 12345678,
  });
  assert.equal(task.integration_id, id);
  assert.equal(task.user_id, null);
  assert.equal(task.message, "pushed");
  assert.equal(task.diff, true);

  for (
    const [other, headers] of [
      [{ ...push, ref: "refs/heads/dev" }, { "x-event": "push" }],
      [push, { "x-event": "ping" }],
      [push, {}],
      [{ ...push, commits: [] }, { "x-event": "push" }],
      [{ ...push, deleted: true }, { "x-event": "push" }],
    ] as const
  ) {
    const { status, body, headers: answered } = await call(world, url, json(other, headers));
    assert.equal(status, 200);
    assert.deepEqual(body.tasks, []);
    assert.equal(body.results[0].result, "not_matched");
    assert.match(body.results[0].reason, /does not match/);
    assert.equal(answered.get("X-Semaphore-Task-ID"), null);
  }
  assert.equal((await tasksOf(world)).length, 1);
});

Deno.test("without matchers every call runs, by POST or GET, but not by HEAD or OPTIONS", async () => {
  await using world = await newWorld();
  const { url } = await make(world);
  for (const method of ["POST", "GET"]) {
    assert.equal((await call(world, url, { method })).body.tasks.length, 1, method);
  }
  assert.equal((await world.request(new URL(url).pathname, { method: "HEAD" })).status, 405);
  assert.equal((await world.request(new URL(url).pathname, { method: "OPTIONS" })).status, 204);
  const fromBrowser = {
    headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
  };
  assert.equal((await call(world, url, fromBrowser)).body.tasks.length, 1);
  const withToken = { headers: { Authorization: "Bearer not-one-of-ours" } };
  assert.equal((await call(world, url, withToken)).body.tasks.length, 1);
  assert.equal((await tasksOf(world)).length, 4);
});

Deno.test("every searchable integration of the project sees the body of one call", async () => {
  await using world = await newWorld();
  const shared = await alice(world, "POST", `${integrationsOf(world)}/aliases`, undefined, 200);
  const parts = { matchers: [matcher("ref", "main")], values: [extractValue("after", "commit")] };
  const first = await make(world, { name: "first", searchable: true }, parts);
  await make(world, { name: "hidden" }, parts);
  const third = await make(world, { name: "third", searchable: true }, parts);
  const silent = await make(world, { name: "silent", searchable: true }, {
    matchers: [matcher("ref", "dev")],
  });
  const { status, body } = await call(world, shared.url, json({ ref: "main", after: "abc" }));
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map((
      { integration_id, result }: Record<string, unknown>,
    ) => [integration_id, result]),
    [[first.id, "started"], [third.id, "started"], [silent.id, "not_matched"]],
  );
  const tasks = await tasksOf(world);
  assert.deepEqual(tasks.map(({ environment }) => environment), Array(2).fill('{"commit":"abc"}'));
});

Deno.test("the server's own address reaches the searchable integrations of all projects", async () => {
  const globalAlias = "every-project-0123456789";
  await using world = await newWorld({ config: { globalAlias } });
  const { path } = await make(world, { searchable: true }, { matchers: [matcher("ref", "main")] });
  await make(world, { name: "hidden" });
  const url = `http://callboard.test/api/integrations/${globalAlias}`;
  const init = json({ ref: "main" });
  assert.equal((await call(world, url, init)).body.tasks.length, 1);
  assert.equal((await call(world, url.replace("0123", "9876"), init)).status, 404);
  assert.equal((await alice(world, "GET", `${path}/deliveries`)).length, 1);
});

Deno.test("through an address that others share, nothing starts that does not look at the call", async () => {
  const globalAlias = "every-project-0123456789";
  await using world = await newWorld({ config: { globalAlias } });
  const shared = await alice(world, "POST", `${integrationsOf(world)}/aliases`, undefined, 200);
  const { path, url } = await make(world, { searchable: true });
  for (const address of [shared.url, `http://callboard.test/api/integrations/${globalAlias}`]) {
    const { status, body } = await call(world, address, json({ ref: "main" }));
    assert.equal(status, 200);
    assert.deepEqual(body.tasks, []);
    assert.equal(body.results[0].result, "not_matched");
    assert.match(body.results[0].reason, /without conditions/);
  }
  assert.deepEqual(await tasksOf(world), []);
  assert.equal((await call(world, url)).body.tasks.length, 1, "through its own it does");
  await alice(world, "POST", `${path}/matchers`, matcher("ref", "main"), 200);
  assert.equal((await call(world, shared.url, json({ ref: "main" }))).body.tasks.length, 1);
});

Deno.test("every way to prove a call is kept as it was sent, and checked", async () => {
  await using world = await newWorld();
  const keys = `/api/project/${world.web.id}/keys`;
  const login_password = { login: "hook", password: "s3:cret" };
  const { id: auth_secret_id } = await alice(world, "POST", keys, {
    name: "Hook",
    type: "login_password",
    login_password,
  });
  const body = "Hello, World!";
  const sign = (hash: string, secret = "s3:cret") =>
    createHmac(hash, secret).update(body).digest("hex");
  const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` });
  const cases: [string, good: HeadersInit[], bad: HeadersInit[]][] = [
    ["", [{}], []],
    ["none", [{}], []],
    ["github", [{ "X-Hub-Signature-256": `sha256=${sign("sha256")}` }], [
      { "X-Hub-Signature": `sha256=${sign("sha256")}` },
    ]],
    ["bitbucket", [{ "X-Hub-Signature": `sha256=${sign("sha256")}` }], [
      { "X-Hub-Signature": sign("sha256") },
      { "X-Hub-Signature": `sha1=${sign("sha1")}` },
      { "X-Hub-Signature-256": `sha256=${sign("sha256")}` },
    ]],
    ["token", [{ "X-Sign": "s3:cret" }], [{ "X-Sign": "hook:s3:cret" }]],
    ["basic", [basic("hook:s3:cret"), { Authorization: `basic ${btoa("hook:s3:cret")}` }], [
      basic("hook:s3"),
      basic(":s3:cret"),
      basic("other:s3:cret"),
      basic("hook"),
      { Authorization: "Basic" },
      { Authorization: "Bearer s3:cret" },
      { "X-Sign": "s3:cret" },
    ]],
    ["hmac", [{ "X-Sign": sign("sha256") }, { "X-Sign": `sha256=${sign("sha256")}` }], [
      { "X-Sign": sign("sha512") },
    ]],
    ["hmac-sha512", [{ "X-Sign": sign("sha512") }, { "X-Sign": `sha512=${sign("sha512")}` }], [
      { "X-Sign": sign("sha256") },
      { "X-Sign": sign("sha512").slice(2) },
    ]],
  ];
  assert.deepEqual(cases.map(([method]) => method), [...AUTH_METHODS]);
  for (const [auth_method, good, bad] of cases) {
    const form = { auth_method, auth_header: "X-Sign", auth_secret_id };
    const { path, url } = await make(world, form);
    assert.equal((await alice(world, "GET", path)).auth_method, auth_method);
    for (const headers of good) {
      const answer = await call(world, url, { body, headers });
      assert.equal(answer.body.tasks?.length, 1, `${auth_method} ${JSON.stringify(headers)}`);
    }
    const strangers = auth_method === "" || auth_method === "none" ? [] : [{}, ...bad];
    for (const headers of strangers) {
      const { status } = await call(world, url, { body, headers });
      assert.equal(status, 401, `${auth_method} ${JSON.stringify(headers)}`);
    }
  }
});

Deno.test("a part of a matcher or value may be changed alone", async () => {
  await using world = await newWorld();
  const { path } = await make(world);
  for (
    const [list, form] of [
      ["matchers", matcher("ref", "main")],
      ["values", extractValue("after", "commit", { variable_type: "task" })],
    ] as const
  ) {
    const status = list === "matchers" ? 200 : 201;
    const made = await alice(world, "POST", `${path}/${list}`, form, status);
    const item = `${path}/${list}/${made.id}`;
    let now = made;
    for (const [name, value] of Object.entries({ ...form, name: "Renamed", key: "head" })) {
      await alice(world, "PUT", item, { [name]: value });
      now = { ...now, [name]: value };
      assert.deepEqual(await alice(world, "GET", item), now);
    }
    const nulls = Object.fromEntries(Object.keys(form).map((name) => [name, null]));
    await alice(world, "PUT", item, nulls);
    await alice(world, "PUT", item, {});
    assert.deepEqual(await alice(world, "GET", item), now, "what is not said stays");
    for (const wrong of [{ name: "" }, { name: 5 }, { key: "" }, { body_data_type: "xml" }]) {
      const answer = await world.api("alice", "PUT", item, wrong);
      assert.equal(answer.status, 400, JSON.stringify(wrong));
      assert.deepEqual(Object.keys(answer.body.fields), Object.keys(wrong));
    }
    assert.deepEqual(await alice(world, "GET", item), now);
  }
});

Deno.test("a call may say what its task is started with, as far as the template allows", async () => {
  await using world = await newWorld();
  await changeTemplate(world, { task_params: { allow_override_tags: true, limit: ["web"] } });
  const value = (variable: string) => extractValue(variable, variable, { variable_type: "task" });
  const { url } = await make(world, { task_params: { params: { diff: true, tags: ["slow"] } } }, {
    values: [
      extractValue("after", "commit", { variable_type: "environment" }),
      extractValue("size", "size", { variable_type: "" }),
      ...["tags", "dry_run", "diff", "message", "limit"].map(value),
    ],
  });
  const sent = {
    after: "abc",
    size: 3,
    tags: ["quick", "small"],
    limit: "web",
    dry_run: true,
    diff: false,
    message: "pushed",
  };
  assert.equal((await call(world, url, json(sent))).body.tasks.length, 1);
  const [task] = await tasksOf(world);
  assert.deepEqual(JSON.parse(task.environment), { commit: "abc", size: 3 });
  assert.deepEqual([task.tags, task.limit], [["quick", "small"], ["web"]]);
  assert.deepEqual([task.dry_run, task.diff, task.message], [true, false, "pushed"]);
  assert.equal(task.playbook, "deploy.yml");
  const wider = await call(world, url, json({ ...sent, limit: "all" }));
  assert.equal(wider.status, 400);
  assert.match(wider.body.error, /does not allow tasks to override limit/);
});

const ofTask = (variable: string, other: object = {}) =>
  extractValue(variable, variable, { variable_type: "task", ...other });

const TASK_VALUES: Record<string, unknown> = {
  limit: "web",
  tags: ["quick"],
  skip_tags: "slow",
  message: "pushed",
  git_branch: "main",
  debug: true,
  dry_run: false,
  diff: 0,
};

Deno.test("a call that lacks a value for its task starts nothing, and says which", async () => {
  await using world = await newWorld();
  await changeTemplate(world, {
    task_params: {
      allow_override_tags: true,
      allow_override_skip_tags: true,
      allow_override_branch: true,
    },
  });
  const { path, url } = await make(world, {}, {
    values: Object.keys(TASK_VALUES).map((name) => ofTask(name)),
  });
  const names = Object.keys(TASK_VALUES);
  for (const name of names) {
    for (const blank of [undefined, null, "", [" ", ""]]) {
      const { status, body } = await call(world, url, json({ ...TASK_VALUES, [name]: blank }));
      assert.equal(status, 422, `${name} ${JSON.stringify(blank)}`);
      assert.equal(
        body.error,
        `The call has no value at "${name}" for "${name}", so nothing was started.`,
      );
    }
    const { status } = await call(world, url, json({ ...TASK_VALUES, [name]: { a: 1 } }));
    assert.equal(status, 422, name);
  }
  for (
    const odd of [{ tags: [] }, { dry_run: "treu" }, { limit: true }, { tags: ["a", []] }, {
      limit: ",",
    }]
  ) {
    assert.equal((await call(world, url, json({ ...TASK_VALUES, ...odd }))).status, 422);
  }
  assert.equal((await call(world, url)).status, 422);
  assert.equal((await tasksOf(world)).length, 0);
  const [last] = await alice(world, "GET", `${path}/deliveries`);
  assert.deepEqual([last.result, last.task_id], ["failed", null]);
  assert.match(last.reason, /no value at "limit"/);

  assert.equal((await call(world, url, json(TASK_VALUES))).status, 200);
  const [{ limit, tags, skip_tags, message, git_branch, debug, dry_run, diff }] = await tasksOf(
    world,
  );
  assert.deepEqual({ limit, tags, skip_tags, message, git_branch, debug, dry_run, diff }, {
    ...TASK_VALUES,
    limit: ["web"],
    skip_tags: ["slow"],
    diff: false,
  });
});

Deno.test("a header or a body that a task's value comes from must not be blank", async () => {
  await using world = await newWorld();
  const from = (other: object) => make(world, {}, { values: [ofTask("limit", other)] });
  const header = await from({ value_source: "header", key: "X-Hosts" });
  const whole = await from({ body_data_type: "string", key: "" });
  const deep = await from({ key: "event.hosts[0].name" });
  const start = async ({ url }: Made, init: RequestInit, expected: number) => {
    const { status, body } = await call(world, url, init);
    assert.equal(status, expected, JSON.stringify(body));
    return body.error;
  };
  assert.match(await start(header, {}, 422), /header "X-Hosts" for "limit"/);
  await start(header, { headers: { "X-Hosts": " " } }, 422);
  await start(header, { headers: { "X-Host": "web" } }, 422);
  await start(header, { headers: { "X-Hosts": "web" } }, 200);
  assert.match(await start(whole, { body: " \n" }, 422), /no body for "limit"/);
  await start(whole, { body: "web" }, 200);
  await start(deep, json({ event: { hosts: [] } }), 422);
  await start(deep, { body: "hosts=web" }, 422);
  await start(deep, json({ event: { hosts: [{ name: "web" }] } }), 200);
  assert.deepEqual((await tasksOf(world)).map(({ limit }) => limit), [["web"], ["web"], ["web"]]);
});

Deno.test("a default, of a value or of the integration, replaces a missing value of a call", async () => {
  await using world = await newWorld();
  await changeTemplate(world, { task_params: { allow_override_tags: true } });
  const { path, url } = await make(world, { task_params: { params: { tags: ["slow"] } } }, {
    values: [
      ofTask("limit", { default_value: "staging" }),
      ofTask("dry_run", { default_value: "yes" }),
      ofTask("tags"),
      extractValue("region", "region", { default_value: "eu" }),
    ],
  });
  const started = async (sent: object) => {
    assert.equal((await call(world, url, json(sent))).status, 200);
    const [{ limit, dry_run, tags, environment }] = await tasksOf(world);
    return [limit, dry_run, tags, JSON.parse(environment).region];
  };
  assert.deepEqual(await started({}), [["staging"], true, ["slow"], "eu"]);
  assert.deepEqual(await started({ limit: " ", dry_run: null, tags: [], region: null }), [
    ["staging"],
    true,
    ["slow"],
    "eu",
  ]);
  assert.deepEqual(await started({ limit: "web", dry_run: false, tags: "a", region: "" }), [
    ["web"],
    false,
    ["a"],
    "",
  ]);
  const [{ id, default_value }] = await alice(world, "GET", `${path}/values`);
  assert.equal(default_value, "staging");
  await alice(world, "PUT", `${path}/values/${id}`, { default_value: "" });
  assert.equal((await call(world, url, json({}))).status, 422);
});

Deno.test("a default must be valid as the value itself", async () => {
  await using world = await newWorld();
  const { path } = await make(world);
  const refused: [string, string][] = [
    ["limit", ","],
    ["limit", "~"],
    ["limit", "@/etc/passwd"],
    ["tags", " "],
    ["dry_run", "maybe"],
    ["git_branch", "-x"],
    ["message", "a\u0000"],
  ];
  for (const [name, default_value] of refused) {
    const body = await alice(world, "POST", `${path}/values`, ofTask(name, { default_value }), 400);
    assert.deepEqual(Object.keys(body.fields), ["default_value"], `${name} ${default_value}`);
  }
  const any = { default_value: "~" };
  assert.equal(
    (await alice(world, "POST", `${path}/values`, extractValue("a", "a", any))).default_value,
    "~",
  );
});

Deno.test("a call is refused if it sets a name that is not a field of a task, or of a workflow", async () => {
  await using world = await newWorld();
  for (const name of ["limits", "playbook", "inventory_id"]) {
    const { url } = await make(world, {}, { values: [ofTask(name)] });
    const { status, body } = await call(world, url, json({ [name]: "x" }));
    assert.deepEqual([status, body.error], [
      422,
      `"${name}" is not a task parameter that a call can set.`,
    ]);
  }
  assert.equal((await tasksOf(world)).length, 0);
});

Deno.test("an integration that refuses a call does not keep others from starting", async () => {
  await using world = await newWorld();
  const matchers = [matcher("ref", "main")];
  await make(world, { searchable: true }, { matchers, values: [ofTask("limit")] });
  await make(world, { searchable: true }, { matchers });
  const { url } = await alice(world, "POST", `${integrationsOf(world)}/aliases`, undefined, 200);
  const { status, body } = await call(world, url, json({ ref: "main" }));
  assert.equal(status, 200);
  assert.deepEqual(body.results.map(({ result }: { result: string }) => result), [
    "failed",
    "started",
  ]);
  assert.equal(body.tasks.length, 1);
});

Deno.test("variables keep their type, and a question decides where there is one", async () => {
  await using world = await newWorld();
  const sent: Record<string, unknown> = {
    flag: false,
    list: ["a", 1],
    object: { a: [true] },
    notation: '{"__ansible_vault":"x"}',
    count: 3,
    empty: "",
  };
  await changeTemplate(world, {
    survey_vars: [
      question("asked", { required: true }),
      question("number", { type: "int" }),
      question("several", { type: "select", values: ["a", "1"].map(choice), default_value: [] }),
    ],
  });
  const { url } = await make(world, {}, {
    values: [...Object.keys(sent), "nothing", "asked", "number", "several"]
      .map((name) => extractValue(name, name)),
  });
  const questions = { asked: false, number: "7", several: ["a", 1] };
  const { status, body } = await call(
    world,
    url,
    json({
      ...sent,
      notation: { __ansible_vault: "x" },
      nothing: null,
      ...questions,
    }),
  );
  assert.equal(status, 200, JSON.stringify(body));
  const [task] = await tasksOf(world);
  assert.deepEqual(JSON.parse(task.environment), {
    ...sent,
    asked: "false",
    number: 7,
    several: ["a", "1"],
  });
  const missing = await call(world, url, json({ ...sent, asked: null }));
  assert.equal(missing.status, 400);
  const digits = '{"asked":"x","count":1198765432101234567,"list":[1e400]}';
  assert.equal((await call(world, url, { body: digits })).status, 200);
  const [exact] = await tasksOf(world);
  assert.match(exact.environment, /"count":1198765432101234567/);
  assert.match(exact.environment, /"list":\[1e400\]/);
});

const choice = (value: string) => ({ name: value, value });

Deno.test("an integration starts its tasks on an inventory of its own project", async () => {
  await using world = await newWorld();
  const { lab, web } = world;
  const theirs = await world.api("dave", "POST", `/api/project/${lab.id}/inventory`, {
    name: "Theirs",
    type: "static",
    inventory: "secret-host",
    ssh_key_id: lab.keyId,
  });
  const form = (inventory_id: unknown) => ({
    name: "Hook",
    template_id: web.templateId,
    task_params: { inventory_id },
  });
  const { id, path } = await make(world);
  for (const inventory_id of [theirs.body.id, 999]) {
    for (const [method, at] of [["POST", integrationsOf(world)], ["PUT", path]] as const) {
      const sent = { ...form(inventory_id), ...(method === "PUT" ? { id } : {}) };
      const { body } = await world.api("alice", method, at, sent);
      assert.match(body.error, /^task_params\.inventory_id: /);
    }
  }
  await alice(world, "POST", integrationsOf(world), form(web.inventoryId));
  await alice(world, "POST", integrationsOf(world), form(null));
});

Deno.test("only who knows the secret is let in, and a missing secret lets no one in", async () => {
  await using world = await newWorld();
  const auth_secret_id = await makeSecret(world, "s3cret");
  const form = { auth_method: "token", auth_header: "X-Token", auth_secret_id };
  const { id, path, url } = await make(world, form);
  const withToken = (token: string) => call(world, url, { headers: { "X-Token": token } });
  assert.equal((await withToken("s3cret")).body.tasks.length, 1);
  for (const wrong of ["", "S3cret", "s3cret2"]) {
    const { status, body } = await withToken(wrong);
    assert.equal(status, 401);
    assert.equal(body.results[0].result, "unauthorized");
    assert.match(body.error, /secret or signature/);
  }
  assert.equal((await call(world, url)).status, 401);
  await alice(
    world,
    "DELETE",
    `/api/project/${world.web.id}/keys/${auth_secret_id}`,
    undefined,
    409,
  );
  for (const auth_method of ["token", "github", "hmac"]) {
    await alice(world, "PUT", path, {
      id,
      name: "x",
      template_id: world.web.templateId,
      ...form,
      auth_method,
      auth_secret_id: null,
    });
    assert.equal((await withToken("")).status, 401, auth_method);
    assert.equal((await call(world, url)).status, 401, auth_method);
  }
  // A key of another kind is accepted, as clients send it, but does not let anyone in either.
  for (const auth_method of ["token", "github", "bitbucket", "basic", "hmac", "hmac-sha512"]) {
    const { url } = await make(world, { ...form, auth_method, auth_secret_id: world.web.keyId });
    const empty: HeadersInit[] = [{}, { "X-Token": "" }, { Authorization: `Basic ${btoa(":")}` }];
    for (const headers of empty) {
      assert.equal((await call(world, url, { headers })).status, 401, auth_method);
    }
  }
  assert.equal((await tasksOf(world)).length, 1);
});

Deno.test("GitHub's signature, as openssl makes it, is accepted over the bytes as they were sent", async () => {
  await using world = await newWorld();
  const secret = "It's a secret: ünïcode";
  const auth_secret_id = await makeSecret(world, secret);
  const github = await make(world, { auth_method: "github", auth_secret_id }, {
    values: [extractValue("head.id", "commit")],
  });
  const hmac = await make(world, { auth_method: "hmac", auth_header: "X-Sign", auth_secret_id });
  // Bytes that are not UTF-8, and a byte order mark, must be compared unchanged.
  const body = new Uint8Array([
    ...new TextEncoder().encode('\ufeff{"head": {"id": "abc"}, "odd": "'),
    0xff,
    ...new TextEncoder().encode('"}\r\n'),
  ]);
  const signature = await opensslHmac(secret, body);
  const signed = (value: string) => ({ body, headers: { "X-Hub-Signature-256": value } });
  assert.equal((await call(world, github.url, signed(`sha256=${signature}`))).status, 200);
  assert.equal((await tasksOf(world))[0].environment, '{"commit":"abc"}');
  assert.equal((await call(world, github.url, signed(signature))).status, 401);
  const changed = { ...signed(`sha256=${signature}`), body: body.slice(0, -1) };
  assert.equal((await call(world, github.url, changed)).status, 401);
  assert.equal(
    (await call(world, hmac.url, { body, headers: { "X-Sign": signature } })).status,
    200,
  );
});

async function opensslHmac(secret: string, body: Uint8Array): Promise<string> {
  const child = new Deno.Command("openssl", {
    args: ["dgst", "-sha256", "-hmac", secret, "-r"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(body);
  await writer.close();
  const { success, stdout } = await child.output();
  assert.ok(success);
  return new TextDecoder().decode(stdout).split(" ")[0];
}

Deno.test("GitHub's form with its JSON inside is read like the JSON itself", async () => {
  await using world = await newWorld();
  const { url } = await make(world, {}, { matchers: [matcher("ref", "main")] });
  const body = new URLSearchParams({ payload: JSON.stringify({ ref: "main" }) });
  assert.equal((await call(world, url, { body })).body.tasks.length, 1);
});

Deno.test("values answer the template's survey, secret ones in secret", async () => {
  await using world = await newWorld();
  await changeTemplate(world, {
    survey_vars: [
      question("release", { required: true }),
      question("count", { type: "int" }),
      question("password", { type: "secret" }),
    ],
  });
  const { path, url } = await make(world, {
    task_params: { environment: '{"region":"eu","release":"v0"}' },
  }, {
    values: [
      extractValue("release", "release"),
      extractValue("count", "count"),
      extractValue("password", "password"),
      extractValue("other", "other"),
      extractValue("__proto__", "__proto__"),
    ],
  });
  const body = '{"release":"v2","count":3,"password":"hunter2","other":{"a":[1]},"__proto__":"p"}';
  const started = await call(world, url, { body });
  const [task] = await tasksOf(world);
  const environment = JSON.parse(task.environment);
  assert.equal(environment.release, "v2");
  assert.equal(environment.count, 3);
  assert.equal(environment.region, "eu");
  assert.deepEqual(environment.other, { a: [1] });
  assert.ok(task.has_secrets);
  for await (const { value } of world.kv.list({ prefix: [] })) {
    assert.ok(!Deno.inspect(value, { depth: 20, strAbbreviateSize: 1e6 }).includes("hunter2"));
  }
  assert.equal(started.status, 200);

  const wrong = await call(world, url, json({ release: "v3", count: "many" }));
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body.error, "count must be integer");
  assert.equal(wrong.body.results[0].result, "failed");
  const long = "x".repeat(100_000);
  assert.equal((await call(world, url, json({ release: long }))).status, 200);
  const [longer] = await tasksOf(world);
  assert.equal(JSON.parse(await readAnswers(world.kv, longer)).release, long);
  const large = await call(world, url, json({ release: "x".repeat(260 * 1024) }));
  assert.equal(large.status, 400);
  assert.match(large.body.error, /too large/);
  assert.equal((await tasksOf(world)).length, 2);
  const log = await alice(world, "GET", `${path}/deliveries`);
  assert.deepEqual(log.map(({ result }: { result: string }) => result), [
    "failed",
    "started",
    "failed",
    "started",
  ]);
  assert.equal(log[2].reason, "count must be integer");
});

Deno.test("no caller decides where Ansible goes, also not through a stored value", async () => {
  await using world = await newWorld();
  const { url, id } = await make(world, {}, { values: [extractValue("host", "host")] });
  await transact(world.kv, async (op) => {
    await integrationRows.update(world.kv, op, world.web.id, id, (row) => ({
      ...row,
      values: row.values.map((value) => ({ ...value, variable: "ansible_host" })),
    }));
  });
  const answer = await call(world, url, { body: '{"host":"-oProxyCommand=id"}' });
  assert.equal(answer.status, 400);
  assert.deepEqual(await tasksOf(world), []);
});

Deno.test("the log of calls has the outcome of each, and keeps bodies only if asked", async () => {
  await using world = await newWorld();
  const { path, url, id } = await make(world, {}, { matchers: [matcher("ref", "main")] });
  const headers = { "User-Agent": "GitHub-Hookshot/1", "Content-Type": "application/json" };
  const pathname = new URL(url).pathname;
  const send = (body: string) =>
    world.request(pathname, { method: "POST", body, headers, address: "198.51.100.7" });
  await send('{"ref":"main","token":"t0ken"}');
  await send('{"ref":"dev"}');
  const [second, first] = await alice(world, "GET", `${path}/deliveries`);
  assert.deepEqual(first, {
    id: 1,
    integration_id: id,
    created: "2024-05-02T10:11:12.000Z",
    method: "POST",
    address: "198.51.100.7",
    user_agent: "GitHub-Hookshot/1",
    body_bytes: 30,
    result: "started",
    reason: null,
    task_id: (await tasksOf(world))[0].id,
    workflow_id: null,
    run_id: null,
    has_body: false,
  });
  assert.equal(second.result, "not_matched");
  assert.match(second.reason, /ref is main/);
  assert.equal((await alice(world, "GET", `${path}/deliveries/1`)).body, null);

  const integration = await alice(world, "GET", path);
  await alice(world, "PUT", path, { ...integration, keep_bodies: true });
  await send('{"ref":"main","token":"t0ken"}');
  const kept = await alice(world, "GET", `${path}/deliveries/3`);
  assert.equal(kept.body, '{"ref":"main","token":"t0ken"}');
  assert.equal(kept.body_truncated, false);
  await send(JSON.stringify({ ref: "main", more: "ü".repeat(100_000) }));
  const long = await alice(world, "GET", `${path}/deliveries/4`);
  assert.equal(long.body_truncated, true);
  assert.ok(long.body.length > 20_000);
  const rows = Deno.inspect(await Array.fromAsync(world.kv.list({ prefix: [] })), { depth: 20 });
  assert.ok(!rows.includes("t0ken"), "bodies are stored sealed");
  for (const [person, status] of [["bob", 403], ["carol", 403], ["dave", 404]] as const) {
    assert.equal((await world.api(person, "GET", `${path}/deliveries`)).status, status);
    assert.equal((await world.api(person, "GET", `${path}/deliveries/3`)).status, status);
  }
  await alice(world, "GET", `${path}/deliveries/9`, undefined, 404);
  await alice(world, "DELETE", path);
  const left = [{ prefix: ["deliveries"] }, { prefix: ["delivery_bodies"] }, {
    prefix: ["aliases"],
  }];
  for (const selector of left) assert.deepEqual(await Array.fromAsync(world.kv.list(selector)), []);
});

Deno.test("the log keeps the latest hundred calls", async () => {
  await using world = await newWorld();
  const { path, url } = await make(world, { keep_bodies: true }, { matchers: [matcher("a", "b")] });
  for (let n = 1; n <= 105; n++) {
    world.clock.advance(1_000);
    assert.equal((await call(world, url, { body: `call ${n}` })).status, 200);
  }
  const log = await alice(world, "GET", `${path}/deliveries`);
  assert.deepEqual(log.map(({ id }: Made) => id), Array.from({ length: 100 }, (_, n) => 105 - n));
  const bodies = await Array.fromAsync(world.kv.list({ prefix: ["delivery_bodies"] }));
  assert.equal(bodies.length, 100);
});

Deno.test("a body of more than 1 MiB is refused, also without a length", async () => {
  await using world = await newWorld();
  const { path, url } = await make(world);
  const bytes = 1024 * 1024;
  assert.equal((await call(world, url, { body: new Uint8Array(bytes) })).status, 200);
  const tooLong = await call(world, url, { body: new Uint8Array(bytes + 1) });
  assert.equal(tooLong.status, 413);
  assert.match(tooLong.body.error, /too large/);
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  assert.equal((await call(world, url, { body: endless })).status, 413);
  assert.ok(sent < 2 * bytes, "it was not read to the end");
  const [newest] = await alice(world, "GET", `${path}/deliveries`);
  assert.equal(newest.result, "failed");
  assert.match(newest.reason, /too large/);
  assert.equal((await tasksOf(world)).length, 1);
});

Deno.test("an address takes so many calls, then says when to come again", async () => {
  await using world = await newWorld();
  const { url } = await make(world, {}, { matchers: [matcher("a", "b")] });
  const other = await make(world, { name: "other" }, { matchers: [matcher("a", "b")] });
  for (let n = 0; n < 60; n++) assert.equal((await call(world, url)).status, 200);
  const { status, body, headers } = await call(world, url);
  assert.equal(status, 429);
  assert.equal(headers.get("Retry-After"), "1");
  assert.match(body.error, /Too many calls/);
  assert.equal((await call(world, other.url)).status, 200, "each address counts for itself");
  world.clock.advance(1_000);
  assert.deepEqual([await call(world, url), await call(world, url)].map((one) => one.status), [
    200,
    200,
  ]);
  assert.equal((await call(world, url)).status, 429);
});

Deno.test("unknown addresses, and those of a project that is being deleted, are not found", async () => {
  await using world = await newWorld();
  const { url } = await make(world);
  for (const text of ["aaaaaaaaaaaaaaaa", "__proto__", "%00", "a".repeat(3_000), "..%2f"]) {
    const { status, body } = await call(world, `http://callboard.test/api/integrations/${text}`);
    assert.equal(status, 404, text);
    assert.equal(typeof body.error, "string", text);
  }
  const entry = await world.kv.get<object>(rowKeys.project(world.web.id));
  await world.kv.set(entry.key, { ...entry.value, deleting: true });
  assert.equal((await call(world, url)).status, 404);
});

Deno.test("a deleted project leaves nothing of its integrations behind", async () => {
  await using world = await newWorld();
  const { url } = await make(world, { keep_bodies: true }, { matchers: [matcher("a", "b")] });
  await alice(world, "POST", `${integrationsOf(world)}/aliases`, undefined, 200);
  await call(world, url, { body: "{}" });
  await alice(world, "DELETE", `/api/project/${world.web.id}`);
  const kinds = ["integrations", "project_aliases", "aliases", "deliveries", "delivery_bodies"];
  for (const kind of kinds) {
    assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix: [kind] })), [], kind);
  }
});

Deno.test("objects that an integration uses cannot be deleted", async () => {
  await using world = await newWorld();
  const { id } = await make(world);
  const template = `/api/project/${world.web.id}/templates/${world.web.templateId}`;
  const { status, body } = await world.api("alice", "DELETE", template);
  assert.equal(status, 409);
  assert.deepEqual(body.integrations, [{ id, name: "Git push" }]);
  assert.equal(await findTask(world.kv, world.web.id, 1), null);
});

Deno.test("Bob and Carol look at integrations, and Dave does not even know of them", async () => {
  await using world = await newWorld();
  const { path } = await make(world, {}, {
    matchers: [matcher("a", "b")],
    values: [extractValue("a", "b")],
  });
  const [{ id: matcherId }] = await alice(world, "GET", `${path}/matchers`);
  const [{ id: valueId }] = await alice(world, "GET", `${path}/values`);
  const form = { name: "x", template_id: world.web.templateId };
  const reads = [
    "",
    "/refs",
    "/matchers",
    `/matchers/${matcherId}`,
    "/values",
    `/values/${valueId}`,
  ];
  const writes: [string, string, unknown?][] = [
    ["PUT", "", form],
    ["DELETE", ""],
    ["POST", "/matchers", matcher("a", "b")],
    ["PUT", `/matchers/${matcherId}`, matcher("a", "b")],
    ["DELETE", `/matchers/${matcherId}`],
    ["POST", "/values", extractValue("a", "b")],
    ["PUT", `/values/${valueId}`, extractValue("a", "b")],
    ["DELETE", `/values/${valueId}`],
    ["POST", "/aliases"],
    ["DELETE", "/aliases/1"],
  ];
  for (
    const [person, read, write] of [["bob", 200, 403], ["carol", 200, 403], ["dave", 404, 404], [
      null,
      401,
      401,
    ]] as const
  ) {
    for (const end of reads) {
      assert.equal((await world.api(person, "GET", path + end)).status, read, `${person} ${end}`);
    }
    for (const [method, end, body] of writes) {
      const { status } = await world.api(person, method, path + end, body);
      assert.equal(status, write, `${person} ${method} ${end}`);
    }
    assert.equal((await world.api(person, "POST", integrationsOf(world), form)).status, write);
  }
});

Deno.test("parallel calls are all logged, each under its own number", async () => {
  await using world = await newWorld();
  const { path, url } = await make(world);
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(world, url)));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal((await tasksOf(world)).length, 30);
  const log = await alice(world, "GET", `${path}/deliveries`);
  assert.deepEqual(log.map(({ id }: Made) => id), Array.from({ length: 30 }, (_, n) => 30 - n));
  assert.equal(new Set(log.map(({ task_id }: { task_id: number }) => task_id)).size, 30);
});
