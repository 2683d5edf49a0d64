import assert from "node:assert/strict";
import type { Actor } from "@/lib/access/actor.ts";
import type { InitiatorKind, TaskRow } from "@/lib/model/task_row.ts";
import { openProject } from "@/lib/access/scope.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { amendTask } from "@/lib/tasks/steps.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { requireTrustedRunner } from "@/lib/queue/inputs/personal.ts";
import { rowOf, run, tasksOf } from "@/tests/support/world/attempts.ts";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { addPasswordKey, inventoryForm, templateForm } from "@/tests/support/world/forms.ts";
import {
  giveKey,
  makeInProject,
  personalTemplate,
  planOf,
  secretTexts,
  startPersonal,
} from "@/tests/support/world/own_keys.ts";
import { changeTemplate } from "@/tests/support/world/previewed_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** A project whose template requires an own key, and Bob's key that others are after. */
interface Stage {
  world: World;
  template: number;
  key: Awaited<ReturnType<typeof giveKey>>;
  /** Texts of all answers that the attackers got. */
  seen: string[];
  api(person: Person, method: string, path: string, body?: unknown): Promise<number>;
  page(person: Person, path: string, form?: Record<string, string>): Promise<number>;
  /** Path of the project. */
  project: string;
}

async function newStage(): Promise<Stage & AsyncDisposable> {
  const world = await newWorld();
  const template = await personalTemplate(world);
  const key = await giveKey(world, "bob", "Bob's laptop");
  const seen: string[] = [];
  return {
    world,
    template,
    key,
    seen,
    project: `/project/${world.web.id}`,
    async api(person, method, path, body) {
      const answer = await world.api(person, method, `/api${path}`, body);
      seen.push(JSON.stringify(answer.body));
      return answer.status;
    },
    async page(person, path, form) {
      const answer = form ? await world.post(person, path, form) : await world.get(person, path);
      seen.push(await answer.text());
      return answer.status;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

type Attack = (stage: Stage) => Promise<void>;

const refusedAs = async (attempt: Promise<number>, ...statuses: number[]) =>
  assert.ok(statuses.includes(await attempt), `${await attempt} is none of ${statuses}`);

/** Starts a task as a trigger. */
async function startAs({ world, template }: Stage, kind: InitiatorKind | "server") {
  const { deps, web } = world;
  const person = { id: world.people.bob.id, username: "bob" };
  const actor: Actor = { kind, id: 1, name: "Nightly", projectId: web.id, person };
  const scope = await openProject({ deps, actor }, web.id, "run_tasks");
  await assert.rejects(startTask(scope, parseStart({ template_id: template })), {
    key: "errors.personal.key_unattended",
  });
}

const makeOther = async ({ world }: Stage) =>
  await makeInProject(world, "templates", templateForm(world, { name: "Other" }));

const ATTACKS: Record<string, Attack> = {
  "an admin lists the keys of the signed-in user": async ({ api }) =>
    assert.equal(await api("erin", "GET", "/user/keys"), 200),
  "an admin reads the key by its id": ({ api, key }) =>
    refusedAs(api("erin", "GET", `/user/keys/${key.id}`), 404),
  "the owner reads the key by its id": ({ api, key }) =>
    refusedAs(api("alice", "GET", `/user/keys/${key.id}`), 404),
  "a manager replaces the key": ({ api, key }) =>
    refusedAs(api("mike", "PUT", `/user/keys/${key.id}`, { name: "A", generate: true }), 404),
  "an admin removes the key": ({ api, key }) =>
    refusedAs(api("erin", "DELETE", `/user/keys/${key.id}`), 404),
  "an admin adds a key with the same id": async ({ api, key, world }) => {
    const body = { id: key.id, user_id: world.people.bob.id, name: "A", generate: true };
    assert.equal(await api("erin", "POST", "/user/keys", body), 201);
    const row = await world.kv.get(rowKeys.ownKey(world.people.erin.id, key.id));
    assert.equal(row.value, null);
  },
  "an admin asks for the keys of another account": ({ api, world }) =>
    refusedAs(api("erin", "GET", `/users/${world.people.bob.id}/keys`), 404),
  "an admin opens the page of the key": ({ page, key }) =>
    refusedAs(page("erin", `/account/keys/${key.id}`), 404),
  "an admin sends the form of the key": ({ page, key }) =>
    refusedAs(page("erin", `/account/keys/${key.id}`, { name: "A", generate: "on" }), 404),
  "an admin presses the button that removes it": ({ page, key }) =>
    refusedAs(page("erin", "/account/keys/remove", { key: String(key.id) }), 404),
  "an admin reads the account": async ({ api, page, world }) => {
    assert.equal(await api("erin", "GET", `/users/${world.people.bob.id}`), 200);
    assert.equal(await page("erin", `/users/${world.people.bob.id}`), 200);
  },
  "an admin reads all events": async ({ api, page }) => {
    assert.equal(await api("erin", "GET", "/events"), 200);
    assert.equal(await page("erin", "/admin/activity"), 200);
  },
  "the owner makes a backup of the project": async ({ api, project }) =>
    assert.equal(await api("alice", "GET", `${project}/backup`), 200),
  "the owner lists the keys of the project": async ({ api, project }) =>
    assert.equal(await api("alice", "GET", `${project}/keys`), 200),
  "the owner gives an inventory the key by its id": async (stage) => {
    const { world, key, api, project } = stage;
    const id = key.id + 1000;
    // Both kinds of keys count their ids apart, so this id is one without a key of the project.
    await world.kv.set(rowKeys.ownKey(world.people.bob.id, id), {
      ...(await world.kv.get<object>(rowKeys.ownKey(world.people.bob.id, key.id))).value,
      id,
    });
    const form = inventoryForm(world, { name: "Theirs", ssh_key_id: id });
    await refusedAs(api("alice", "POST", `${project}/inventory`, form), 404);
  },
  "the owner starts a task with the key": ({ api, key, template, project }) =>
    refusedAs(
      api("alice", "POST", `${project}/tasks`, { template_id: template, own_key_id: key.id }),
      400,
    ),
  "a manager with a key of their own chooses this one": async ({ world, api, key, ...stage }) => {
    await giveKey(world, "mike");
    const body = { template_id: stage.template, own_key_id: key.id };
    await refusedAs(api("mike", "POST", `${stage.project}/tasks`, body), 400);
  },
  "a manager requires a key for a template that the person starts as always": async (stage) => {
    const { world, project } = stage;
    const template_id = await makeOther(stage);
    const start = () => world.api("bob", "POST", `/api${project}/tasks`, { template_id });
    const page = () => world.post("bob", `${project}/templates/${template_id}/tasks`, {});
    assert.equal((await start()).status, 201);
    await changeTemplate({ ...world, deploy: { id: template_id } } as World, { own_key: true });
    assert.equal((await start()).status, 400);
    assert.equal((await page()).status, 422);
  },
  "an admin starts a task without a key": ({ api, template, project }) =>
    refusedAs(api("erin", "POST", `${project}/tasks`, { template_id: template }), 400),
  "the owner reads the form of a task": async ({ page, template, project }) =>
    assert.equal(await page("alice", `${project}/templates/${template}/tasks`), 200),
  "the owner sends the form with the key": ({ page, key, template, project }) =>
    refusedAs(
      page("alice", `${project}/templates/${template}/tasks`, { own_key_id: String(key.id) }),
      422,
    ),
  "the owner runs a task again as its starter sent it": async (
    { world, api, template, ...its },
  ) => {
    const own = await giveKey(world, "alice");
    const id = await startPersonal(world, "bob", template, { own_key_id: its.key.id });
    const path = `/api${its.project}/tasks/${id}`;
    const { body } = await world.api("alice", "GET", path);
    const again = { ...body, id, own_key_id: own.id };
    assert.equal(await api("alice", "POST", `${its.project}/tasks`, again), 201);
  },
  "a manager repeats a failed task with the key": async (
    { world, api, template, key, project },
  ) => {
    const id = await startPersonal(world, "bob", template);
    await run(world, id, { web1: "failed" });
    await refusedAs(
      api("mike", "POST", `${project}/tasks/${id}/retry`, { own_key_id: key.id }),
      400,
    );
  },
  "a schedule starts a task": (stage) => startAs(stage, "schedule"),
  "a webhook starts a task": (stage) => startAs(stage, "integration"),
  "a build starts a deploy": (stage) => startAs(stage, "autorun"),
  "a workflow that the person has started starts a task": (stage) => startAs(stage, "workflow"),
  "the server repeats a task": (stage) => startAs(stage, "server"),
  "a manager makes a schedule": ({ api, template, project }) =>
    refusedAs(
      api("mike", "POST", `${project}/schedules`, {
        template_id: template,
        cron_format: "* * * * *",
        active: true,
      }),
      400,
    ),
  "a manager enables a schedule": async ({ world, api, template, project }) => {
    const paused = { template_id: template, cron_format: "* * * * *", active: false };
    const path = `${project}/schedules/${await makeInProject(world, "schedules", paused)}/active`;
    await refusedAs(api("mike", "PUT", path, { active: true }), 400);
    assert.equal(await api("mike", "PUT", path, { active: false }), 204);
  },
  "a manager makes an integration": ({ api, template, project }) =>
    refusedAs(
      api("mike", "POST", `${project}/integrations`, { name: "Push", template_id: template }),
      400,
    ),
  "a manager calls an integration from before": async (stage) => {
    const { world, project, template } = stage;
    const other = await makeOther(stage);
    const id = await makeInProject(world, "integrations", { name: "Push", template_id: other });
    const alias = await world.api("alice", "POST", `/api${project}/integrations/${id}/aliases`);
    const { own_key } = { own_key: true };
    await changeTemplate({ ...world, deploy: { id: other } } as World, { own_key });
    const tasks = (await tasksOf(world)).length;
    await world.request(new URL(alias.body.url).pathname, { method: "POST" });
    assert.equal((await tasksOf(world)).length, tasks);
    assert.ok(template);
  },
  "a manager adds a step to a workflow": ({ api, template, project }) =>
    refusedAs(
      api("mike", "POST", `${project}/workflows`, {
        name: "Release",
        steps: [{ id: -1, kind: "template", template_id: template }],
      }),
      400,
    ),
  "a manager lets builds start it": async ({ world, api, project }) => {
    const build = { type: "build", start_version: "1", name: "Build" };
    const build_template_id = await makeInProject(world, "templates", templateForm(world, build));
    const deploy = { type: "deploy", build_template_id, autorun: true, own_key: true };
    await refusedAs(api("mike", "POST", `${project}/templates`, templateForm(world, deploy)), 400);
  },
  "a manager checks for drift": async ({ world, api, template, project }) => {
    await giveKey(world, "mike");
    await refusedAs(api("mike", "POST", `${project}/templates/${template}/check`), 400);
  },
  "the owner confirms a task that has no preview": async (stage) => {
    const { world, api, project } = stage;
    const fields = { name: "Asks", own_key: true, require_confirmation: true };
    const id = await startPersonal(world, "bob", await personalTemplate(world, fields));
    await refusedAs(api("alice", "POST", `${project}/tasks/${id}/confirm`), 403);
    await refusedAs(confirmOnPage(stage, id), 403);
  },
  "the owner sends a waiting task to other hosts": async ({ world, api, template, project }) => {
    const id = await startPersonal(world, "bob", template);
    const form = inventoryForm(world, { name: "Staging", inventory: "evil.example.com\n" });
    const path = `${project}/inventory/${world.web.inventoryId}`;
    assert.equal(await api("alice", "PUT", path, form), 204);
    assert.doesNotMatch((await planOf(world, id)).inventory.content, /evil/);
  },
  "the owner gives a waiting task another repository": async (
    { world, api, template, project },
  ) => {
    const id = await startPersonal(world, "bob", template);
    const path = `${project}/repositories/${world.web.repositoryId}`;
    const { body } = await world.api("alice", "GET", `/api${path}`);
    const evil = { ...body, git_url: "https://git.example.com/evil.git" };
    assert.equal(await api("alice", "PUT", path, evil), 204);
    await assert.rejects(planOf(world, id));
  },
  "the owner gives a waiting task other variables": async ({ world, api, template, project }) => {
    const id = await startPersonal(world, "bob", template);
    const path = `${project}/environment/${world.web.environmentId}`;
    const { body } = await world.api("alice", "GET", `/api${path}`);
    const env = '{"ANSIBLE_SSH_ARGS": "-o ProxyCommand=evil"}';
    assert.equal(await api("alice", "PUT", path, { ...body, env }), 204);
    await assert.rejects(planOf(world, id));
  },
  "the owner gives the become key of a waiting task a login that Ansible would carry out": async (
    { world, api, project },
  ) => {
    const become_key_id = await addPasswordKey(world);
    const form = inventoryForm(world, { name: "Become", become_key_id });
    const inventory_id = await makeInProject(world, "inventory", form);
    const template = await personalTemplate(world, { own_key: true, inventory_id });
    const id = await startPersonal(world, "bob", template);
    const evil = { login: "{{ lookup('pipe', 'id') }}", password: "any" };
    const key = { name: "A", type: "login_password", override_secret: true, login_password: evil };
    assert.equal(await api("alice", "PUT", `${project}/keys/${become_key_id}`, key), 204);
    await assert.rejects(planOf(world, id), { key: "errors.personal.changed_since_start" });
  },
  "the owner lets a waiting task read its variables from another storage": async (
    { world, api, project, template },
  ) => {
    const storage = (url: string) => ({ name: "A", type: "vault", params: { url }, secret: "t" });
    const right = storage("https://vault.example.com");
    const storage_id = await makeInProject(world, "secret_storages", right);
    const source = { storage_id, path: "a" };
    const key = { name: "B", type: "login_password", source };
    const vault_key_id = await makeInProject(world, "keys", key);
    const path = `${project}/templates/${template}`;
    const { body } = await world.api("alice", "GET", `/api${path}`);
    const vaults = [{ name: "a", type: "password", vault_key_id }];
    assert.equal(await api("alice", "PUT", path, { ...body, vaults }), 204);
    const id = await startPersonal(world, "bob", template);
    await planOf(world, id);
    const place = `${project}/secret_storages/${storage_id}`;
    assert.equal(await api("alice", "PUT", place, storage("https://evil.example.com")), 204);
    await assert.rejects(planOf(world, id), { key: "errors.personal.changed_since_start" });
  },
  "the owner changes the template of a waiting task": async ({ world, api, template, project }) => {
    const id = await startPersonal(world, "bob", template);
    const path = `${project}/templates/${template}`;
    const { body } = await world.api("alice", "GET", `/api${path}`);
    assert.equal(await api("alice", "PUT", path, { ...body, playbook: "evil.yml" }), 204);
    assert.notEqual((await planOf(world, id)).playbook, "evil.yml");
  },
  "the owner removes the person and waits for the task": async (stage) => {
    const { world, api, template, project } = stage;
    const id = await startPersonal(world, "bob", template);
    const path = `${project}/users/${world.people.bob.id}`;
    assert.equal(await api("alice", "DELETE", path), 204);
    await assert.rejects(planOf(world, id), { key: "errors.personal.starter_gone" });
  },
  "a manager lets a runner of the project take the task": async ({ world, api, project, key }) => {
    const fields = { name: "Remote", own_key: true, runner_tag: "mine" };
    const template_id = await personalTemplate(world, fields);
    const sent = { template_id, own_key_id: key.id };
    const start = () => world.api("bob", "POST", `/api${project}/tasks`, sent);
    assert.equal((await start()).status, 400);
    world.deps.config.personalOnRunners = true;
    const { body } = await start();
    const task = await rowOf(world, body.id);
    assert.throws(() => requireTrustedRunner(world.deps, task, { project_id: world.web.id }), {
      key: "errors.personal.project_runner",
    });
    assert.equal(await api("mike", "GET", `${project}/tasks/${body.id}`), 200);
  },
  "a manager pings an inventory that requires a key": async ({ world, page, project }) => {
    const form = { name: "A", type: "static", inventory: "web1", own_key: "on", test: "ping" };
    assert.equal(await page("mike", `${project}/inventory/new`, form), 200);
    assert.ok(world);
  },
  "a manager's runner takes the ping of a person with a key": async (
    { world, page, project, seen },
  ) => {
    await giveKey(world, "alice");
    world.deps.config.personalOnRunners = true;
    const hosts = { name: "A", type: "static", inventory: "web1", own_key: "on" };
    await page("alice", `${project}/inventory/new`, { ...hosts, runner_tag: "mine", test: "ping" });
    assert.match(seen.at(-1)!, /Runners do not receive personal keys/);
  },
  "an admin sets the person's password, and signs in": async (
    { world, api, template, project },
  ) => {
    const { bob } = world.people;
    const id = await startPersonal(world, "bob", template);
    const path = `/users/${bob.id}/password`;
    assert.equal(await api("erin", "POST", path, { password: "now I am Bob" }), 204);
    const signIn = { auth: "bob", password: "now I am Bob" };
    const { headers } = await world.api(null, "POST", "/api/auth/login", signIn);
    const Cookie = headers.getSetCookie()[0].split(";")[0];
    const keys = await world.request("/api/user/keys", { headers: { Cookie } });
    assert.deepEqual(await keys.json(), []);
    const started = await world.request(`/api${project}/tasks`, {
      method: "POST",
      headers: { Cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ template_id: template }),
    });
    assert.equal(started.status, 400);
    await assert.rejects(planOf(world, id), { key: "errors.personal.key_gone" });
  },
  "an admin gives the account another password with its form": async ({ world, page }) => {
    const { bob } = world.people;
    const form = { name: "Bob", username: "bob", email: "bob@example.com", password: "mine now!" };
    assert.equal(await page("erin", `/users/${bob.id}`, form), 303);
    const rows = await Array.fromAsync(world.kv.list({ prefix: rowKeys.ownKeys(bob.id) }));
    assert.equal(rows.length, 0);
  },
  "a guest sets the password of the person": async ({ world, api }) => {
    const path = `/users/${world.people.bob.id}/password`;
    await refusedAs(api("carol", "POST", path, { password: PASSWORD }), 403);
  },
  "a runner gives a key a login that Ansible would carry out": async ({ api, key }) => {
    const login = "{{ lookup('pipe', 'id') }}";
    for (const wrong of [login, "{%set a%}", "-oProxyCommand=id", 'a" b', "a b"]) {
      const form = { name: "A", generate: true, ssh: { login: wrong } };
      await refusedAs(api("bob", "POST", "/user/keys", form), 400);
      await refusedAs(api("bob", "PUT", `/user/keys/${key.id}`, form), 400);
    }
  },
  "a stored task of someone else names the key": async ({ world, template, key }) => {
    await giveKey(world, "alice");
    const id = await startPersonal(world, "alice", template);
    const change: Partial<TaskRow> = { own_key_id: key.id };
    await amendTask(world.kv, { id, project_id: world.web.id }, change);
    await assert.rejects(planOf(world, id), { key: "errors.personal.key_gone" });
  },
};

/** Confirms a task with the button of its page. */
const confirmOnPage = ({ page, project }: Stage, id: number) =>
  page("alice", `${project}/tasks/${id}/confirm`, {});

/** Fails if an attacker has read the key, or if a plan of theirs has it. */
async function requireUnread({ world, key, seen }: Stage): Promise<void> {
  const { privateKey } = key;
  const secrets = [privateKey.split("\n")[3], key.publicKey.split(" ")[1], "Bob's laptop"];
  for (const text of seen) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `read: ${secret}`);
  }
  for (const task of await tasksOf(world)) {
    if (task.user_id === world.people.bob.id) continue;
    const texts = await planOf(world, task.id).then(secretTexts, (): string[] => []);
    assert.ok(!texts.includes(privateKey), `used by ${task.username}`);
  }
}

for (const [name, attack] of Object.entries(ATTACKS)) {
  Deno.test(`someone else's key is neither read nor used: ${name}`, async () => {
    await using stage = await newStage();
    await attack(stage);
    await requireUnread(stage);
  });
}

Deno.test("there are more than thirty such ways", () => {
  assert.ok(Object.keys(ATTACKS).length > 30);
});

Deno.test("the search for a key that was read finds one", async () => {
  await using stage = await newStage();
  await stage.api("bob", "GET", "/user/keys");
  await assert.rejects(requireUnread(stage), /read/);
});
