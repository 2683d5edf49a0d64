import assert from "node:assert/strict";
import type { Person } from "@/tests/support/world/cast.ts";
import { sentForm } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** A form that two people have open at the same time. */
interface Case {
  name: string;
  /** Path of each page. The form is sent to the same path. */
  path: (world: World) => string | Promise<string>;
  theirPath?: (world: World) => string;
  people?: [mine: Person, theirs: Person];
  /**
   * A field that both people change, with three texts, and a field that only one of them changes.
   */
  field: (world: World) => string;
  texts: [before: string | undefined, mine: string, theirs: string];
  other?: [field: string, text: string];
}

const page = (path: string) => ({ web }: World) => `/project/${web.id}/${path}`;
const of = (section: string, id: (world: World) => number) => (world: World) =>
  `/project/${world.web.id}/${section}/${id(world)}`;

async function make(world: World, path: string, body: object): Promise<number> {
  const answer = await world.api("alice", "POST", `/api/project/${world.web.id}${path}`, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body.id;
}

const integration = (world: World) =>
  make(world, "/integrations", { name: "Push", template_id: world.deploy.id });
const matcher = { name: "Main", match_type: "header", key: "A", method: "equals", value: "b" };
const value = { name: "Branch", value_source: "header", key: "X", variable: "branch" };

const named = { field: () => "name", texts: [undefined, "Mine", "Theirs"] as Case["texts"] };

const CASES: Case[] = [
  { ...named, name: "key", path: of("keys", ({ web }) => web.keyId) },
  {
    ...named,
    name: "repository",
    path: of("repositories", ({ web }) => web.repositoryId),
    other: ["git_branch", "next"],
  },
  {
    ...named,
    name: "inventory",
    path: of("inventory", ({ web }) => web.inventoryId),
    other: ["inventory", "[web]\nweb1\nweb2"],
  },
  {
    ...named,
    name: "environment",
    // A list is shown as JSON, and not as rows.
    async path(world) {
      const form = { name: "Lists", json: '{"ports": [80]}' };
      return `/project/${world.web.id}/environment/${await make(world, "/environment", form)}`;
    },
    other: ["json", '{"theirs": [443]}'],
  },
  {
    ...named,
    name: "template",
    path: (world) => `${of("templates", ({ deploy }) => deploy.id)(world)}/edit`,
    other: ["cron_format", "0 4 * * *"],
  },
  {
    ...named,
    name: "schedule",
    async path(world) {
      const form = { template_id: world.deploy.id, name: "Nightly", cron_format: "0 3 * * *" };
      return `/project/${world.web.id}/schedules/${await make(world, "/schedules", form)}`;
    },
    other: ["cron_format", "0 4 * * *"],
  },
  {
    ...named,
    name: "settings",
    path: page("settings"),
    people: ["alice", "erin"],
    other: ["max_parallel_tasks", "3"],
  },
  {
    ...named,
    name: "integration",
    path: async (world) => `/project/${world.web.id}/integration/${await integration(world)}`,
  },
  {
    ...named,
    name: "matcher",
    async path(world) {
      const id = await integration(world);
      const part = await make(world, `/integrations/${id}/matchers`, matcher);
      return `/project/${world.web.id}/integration/${id}/matchers/${part}`;
    },
    other: ["value", "next"],
  },
  {
    ...named,
    name: "extract value",
    async path(world) {
      const id = await integration(world);
      const part = await make(world, `/integrations/${id}/values`, value);
      return `/project/${world.web.id}/integration/${id}/values/${part}`;
    },
    other: ["variable", "next"],
  },
  {
    name: "view",
    async path(world) {
      await make(world, "/views", { title: "Nightly" });
      return `/project/${world.web.id}/views`;
    },
    field: () => "title.1",
    texts: ["Nightly", "Mine", "Theirs"],
  },
  {
    name: "role",
    path: page("team"),
    people: ["alice", "erin"],
    field: () => "role",
    texts: [undefined, "guest", "manager"],
  },
  {
    ...named,
    name: "user",
    path: ({ people }) => `/users/${people.bob.id}`,
    people: ["erin", "bob"],
    theirPath: () => "/account",
    other: ["username", "robert"],
  },
  {
    ...named,
    name: "account",
    path: () => "/account",
    people: ["bob", "erin"],
    theirPath: ({ people }) => `/users/${people.bob.id}`,
    other: ["email", "new@example.com"],
  },
];

/**
 * Both people open their pages, and the other one saves first. Returns the answer to my form, and
 * ways to continue.
 */
async function bothEdit(
  world: World,
  { path, theirPath, people = ["alice", "mike"], field }: Case,
  mine: Record<string, string>,
  theirs: Record<string, string>,
) {
  const own = await path(world);
  const other = theirPath?.(world) ?? own;
  const [me, them] = people;
  // If there are several forms with one address, takes the one of Bob's role or of this view.
  const open = async (person: Person, at: string) => {
    const html = await (await world.get(person, at)).text();
    const isTeam = at.endsWith("/team");
    const part = isTeam ? html.slice(html.indexOf(`value="${world.people.bob.id}"`) - 900) : html;
    return sentForm(isTeam ? part.slice(part.indexOf("<form")) : part, at, field(world));
  };
  const [myForm, theirForm] = [await open(me, own), await open(them, other)];
  assert.ok(myForm.stored_version, "it says which version it is of");
  const saved = await world.post(them, other, { ...theirForm, ...theirs });
  assert.equal(saved.status, 303, await saved.text());
  const response = await world.post(me, own, { ...myForm, ...mine });
  return {
    status: response.status,
    html: await response.text(),
    own,
    send: (form: Record<string, string>) => world.post(me, own, form),
    now: () => open(me, own),
  };
}

for (const one of CASES) {
  const [, mine, theirs] = one.texts;
  Deno.test(`${one.name}: the second person to save sees both texts, and chooses`, async () => {
    for (const choice of ["mine", "theirs", "all mine"]) {
      await using world = await newWorld();
      const field = one.field(world);
      const edited = await bothEdit(world, one, { [field]: mine }, { [field]: theirs });
      assert.equal(edited.status, 409, edited.html);
      assert.match(edited.html, /Someone else changed this while you were editing it/);
      const unit = field.replace(/\.\d+$/, "");
      const form = sentForm(edited.html, edited.own, `conflict.${unit}`);
      assert.equal(form[`conflict.${unit}`], "mine", "both have changed it");
      assert.equal(form[field], mine, "what was typed is there");
      assert.match(edited.html, new RegExp(`<pre>[^<]*${mine}</pre>`));
      assert.match(edited.html, new RegExp(`<pre>[^<]*${theirs}</pre>`));
      assert.equal((await edited.now())[field], theirs, "has not been saved yet");

      const [, theirChoice] = new RegExp(`name="conflict.${unit}" value="(theirs [^"]*)"`)
        .exec(edited.html)!;
      const chosen: Record<string, string> = choice === "all mine"
        ? { [`conflict.${unit}`]: theirChoice, conflict: "mine" }
        : { [`conflict.${unit}`]: choice === "theirs" ? theirChoice : choice };
      const saved = await edited.send({ ...form, ...chosen });
      assert.equal(saved.status, 303, await saved.text());
      assert.equal((await edited.now())[field], choice === "theirs" ? theirs : mine);
    }
  });

  if (!one.other) continue;
  const [otherField, text] = one.other;
  Deno.test(`${one.name}: what only one of both has changed stays as they made it`, async () => {
    await using world = await newWorld();
    const field = one.field(world);
    const edited = await bothEdit(world, one, { [field]: mine }, { [otherField]: text });
    assert.equal(edited.status, 409, edited.html);
    const form = sentForm(edited.html, edited.own, `conflict.${otherField}`);
    assert.match(form[`conflict.${otherField}`], /^theirs/, "only they have changed it");
    assert.ok(!(`conflict.${field}` in form), "only I have changed it");
    assert.equal((await edited.send(form)).status, 303);
    const now = await edited.now();
    assert.deepEqual([now[field], now[otherField]], [mine, text]);
  });
}

Deno.test("secrets are not shown: a conflict names them, and typed ones must be typed again", async () => {
  await using world = await newWorld();
  const path = of("keys", ({ web }) => web.keyId)(world);
  const open = async () => sentForm(await (await world.get("alice", path)).text(), path);
  const form = await open();
  const secret = (password: string) => ({
    ...form,
    override_secret: "true",
    type: "login_password",
    "login_password.login": "deploy",
    "login_password.password": password,
  });
  assert.equal((await world.post("mike", path, secret("theirs-5318"))).status, 303);
  const refused = await world.post("alice", path, secret("mine-2077"));
  assert.equal(refused.status, 409);
  const html = await refused.text();
  assert.match(html, /Someone else changed a secret/);
  assert.doesNotMatch(html, /theirs-5318|mine-2077/);

  const environment = of("environment", ({ web }) => web.environmentId)(world);
  const page = await (await world.get("alice", environment)).text();
  const typed = {
    ...sentForm(page, environment),
    "secrets.7.name": "token",
    "secrets.7.type": "env",
    "secrets.7.secret": "mine-2077",
    secret_field: ["secrets.7.secret:Value"],
  };
  const theirs = { ...typed, "secrets.7.name": "password", "secrets.7.secret": "theirs-5318" };
  assert.equal((await world.post("mike", environment, theirs)).status, 303);
  const told = await world.post("alice", environment, typed);
  assert.equal(told.status, 409);
  const shown = await told.text();
  assert.match(shown, /<pre>name: token, type: env<\/pre>/);
  assert.match(shown, /name: password, type: env<\/pre>/);
  assert.doesNotMatch(shown, /theirs-5318|mine-2077/);
});

Deno.test("the questions of a template are chosen as one, whatever numbers they have", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/templates/${world.deploy.id}/edit`;
  const open = async () => sentForm(await (await world.get("alice", path)).text(), path);
  const question = (number: number, name: string) => ({
    [`survey_vars.${number}.name`]: name,
    [`survey_vars.${number}.title`]: `What is ${name}?`,
    [`survey_vars.${number}.type`]: "enum",
    [`survey_vars.${number}.choices`]: "one\ntwo",
  });
  const first = { ...await open(), ...question(3, "first"), ...question(1, "zeroth") };
  assert.equal((await world.post("alice", path, first)).status, 303);
  const form = await open();
  assert.equal((await world.post("mike", path, { ...form, ...question(9, "theirs") })).status, 303);
  const untouched = await world.post("alice", path, { ...form, description: "Mine" });
  const conflict = sentForm(await untouched.text(), path);
  assert.match(conflict["conflict.survey_vars"], /^theirs/, "only they have changed any of them");
  assert.equal((await world.post("alice", path, conflict)).status, 303);
  const now = await open();
  assert.deepEqual(
    [0, 1, 2, 3].map((n) => now[`survey_vars.${n}.name`]),
    ["zeroth", "first", "theirs", undefined],
  );
  assert.equal(now.description, "Mine");
});

Deno.test("a template's schedule that someone else made or changed is not overwritten", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/templates/${world.deploy.id}/edit`;
  const open = async () => sentForm(await (await world.get("alice", path)).text(), path);
  const form = await open();
  await make(world, "/schedules", { template_id: world.deploy.id, cron_format: "0 4 * * *" });
  const made = await world.post("alice", path, { ...form, name: "Mine" });
  assert.equal(made.status, 409);
  assert.match(await made.text(), /<pre>0 4 \* \* \*<\/pre>/);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/schedules`);
  assert.equal(body.length, 1);
  assert.equal((await open()).name, form.name, "nor is the rest of the form stored");
});

Deno.test("one of several forms sent in parallel is stored, and the others see a conflict", async () => {
  for (const section of ["keys", "repositories", "inventory", "environment"]) {
    await using world = await newWorld();
    const { web } = world;
    const id = { keys: web.keyId, repositories: web.repositoryId, inventory: web.inventoryId }[
      section
    ] ?? web.environmentId;
    const path = `/project/${web.id}/${section}/${id}`;
    const form = sentForm(await (await world.get("alice", path)).text(), path);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => world.post("alice", path, { ...form, name: `Name ${n}` })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409, 409, 409], section);
  }
});

Deno.test("a form that does not say what it was filled in for is stored, as scripts send it", async () => {
  await using world = await newWorld();
  const path = of("keys", ({ web }) => web.keyId)(world);
  const { stored_version: _, ...form } = sentForm(
    await (await world.get("alice", path)).text(),
    path,
  );
  assert.equal((await world.post("mike", path, { ...form, name: "Theirs" })).status, 303);
  assert.equal((await world.post("alice", path, { ...form, name: "Mine" })).status, 303);
});

Deno.test("typing on after choosing the other person's version saves the typed text", async () => {
  await using world = await newWorld();
  const [one] = CASES.filter(({ name }) => name === "environment");
  const edited = await bothEdit(world, one, { name: "Mine" }, { json: '{"theirs": [443]}' });
  const form = sentForm(edited.html, edited.own, "conflict.json");
  assert.equal((await edited.send({ ...form, json: '{"typed": ["on"]}' })).status, 303);
  assert.deepEqual(JSON.parse((await edited.now()).json), { typed: ["on"] });
});
