import assert from "node:assert/strict";
import { cookiesOf, htmlOf } from "@/tests/support/basics/html.ts";
import { newRule, newTarget } from "@/tests/support/services/alerting.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Returns the steps that a person sees on the dashboard, or null if there are none. */
async function stepsOf(world: World, person: Person, projectId: number) {
  const html = await htmlOf(await world.get(person, `/project/${projectId}/history`));
  const [list] = /<section id="first-steps".*?<\/section>/s.exec(html) ?? [];
  if (!list) return null;
  const [, next = ""] = /aria-current="step".*?<h3>(.*?)<\/h3>/s.exec(list) ?? [];
  return {
    steps: [...list.matchAll(/<h3>(.*?)<\/h3>/gs)].map(([, title]) =>
      title.replaceAll(/<[^>]*>/g, "").trim()
    ),
    next,
    hrefs: [...list.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href]) => href),
  };
}

const make = async (world: World, kind: string, body: unknown): Promise<number> => {
  const answer = await world.api("dave", "POST", `/api/project/${world.lab.id}/${kind}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
};

Deno.test("a new project leads Dave from a key to its first task", async () => {
  await using world = await newWorld();
  const { lab } = world;
  const steps = () => stepsOf(world, "dave", lab.id);
  const name = "First";
  const at = (path: string) => `/project/${lab.id}/${path}`;
  const returning = (path: string) => `${at(path)}?back=${encodeURIComponent(at("history"))}`;
  assert.deepEqual(await steps(), {
    steps: ["A key", "A repository", "An inventory", "A task template", "The first task"],
    next: "A key",
    hrefs: ["keys/new", "repositories/new", "inventory/new"].map(returning),
  });
  const ssh = { login: "deploy" };
  const ssh_key_id = await make(world, "keys", { name, type: "ssh", ssh, generate: true });
  assert.equal((await steps())?.next, "A repository");
  assert.equal((await steps())?.steps[0], "A key (done)");
  const repository_id = await make(world, "repositories", {
    name,
    git_url: "git@git.example.com:a/b.git",
    git_branch: "main",
    ssh_key_id,
  });
  assert.equal((await steps())?.next, "An inventory");
  const inventory = { name, type: "static", inventory: "localhost", ssh_key_id };
  const inventory_id = await make(world, "inventory", inventory);
  assert.equal((await steps())?.next, "A task template");
  const template_id = await make(world, "templates", {
    name,
    playbook: "site.yml",
    inventory_id,
    repository_id,
    environment_id: lab.environmentId,
  });
  const last = await steps();
  assert.equal(last?.next, "The first task");
  assert.deepEqual(last?.hrefs, [at(`templates/${template_id}/tasks`)]);
  await make(world, "tasks", { template_id });
  assert.deepEqual(await steps(), {
    steps: ["A schedule", "A colleague", "An alert"],
    next: "A schedule",
    hrefs: [...["schedules/new", "team/new"].map(returning), at("alerts/targets/new")],
  });
});

Deno.test("people without a key can continue with a repository, and no key counts as done", async () => {
  await using world = await newWorld();
  const { lab } = world;
  await make(world, "repositories", { name: "Folder", git_url: "/srv", ssh_key_id: lab.keyId });
  const found = await stepsOf(world, "dave", lab.id);
  assert.deepEqual([found?.steps.slice(0, 2), found?.next], [
    ["A key", "A repository (done)"],
    "An inventory",
  ]);
  assert.ok(found?.hrefs[0].startsWith(`/project/${lab.id}/keys/new`));
});

/** Runs the first task of the web shop. */
const runFirst = (world: World) =>
  world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
  });

Deno.test("after the first task the steps go on until each is done, and are then read no more", async () => {
  await using world = await newWorld();
  const { web } = world;
  await runFirst(world);
  const steps = () => stepsOf(world, "alice", web.id);
  const below = `/api/project/${web.id}`;
  assert.deepEqual((await steps())?.steps, ["A schedule", "A colleague (done)", "An alert"]);
  const cron = { template_id: web.templateId, name: "Nightly", cron_format: "0 2 * * *" };
  assert.equal((await world.api("alice", "POST", `${below}/schedules`, cron)).status, 201);
  const settings = { addresses: "ops@example.org" };
  const target_id = await newTarget(world, "", { kind: "email", settings });
  const last = await steps();
  assert.equal(last?.next, "An alert");
  assert.deepEqual(last?.hrefs, [`/project/${web.id}/alerts/rules/new`], "the target has no rule");
  await newRule(world, target_id);
  const done = await world.get("alice", `/project/${web.id}/history`);
  assert.equal(cookiesOf(done).first_steps, "hidden");
  assert.doesNotMatch(await htmlOf(done), /first-steps/);
});

Deno.test("after the first task everyone sees only steps they may do, while the project is new", async () => {
  await using world = await newWorld();
  const { web } = world;
  await runFirst(world);
  assert.deepEqual((await stepsOf(world, "mike", web.id))?.steps, ["A schedule", "An alert"]);
  assert.equal(await stepsOf(world, "bob", web.id), null);
  world.clock.advance(31 * 24 * 60 * 60 * 1000);
  assert.equal(await stepsOf(world, "mike", web.id), null);
});

Deno.test("everyone is shown only what they may do", async () => {
  await using world = await newWorld();
  const { web } = world;
  assert.equal((await stepsOf(world, "mike", web.id))?.steps.length, 5);
  const bobs = await stepsOf(world, "bob", web.id);
  assert.deepEqual([bobs?.steps, bobs?.hrefs], [
    ["The first task"],
    [`/project/${web.id}/templates/${web.templateId}/tasks`],
  ]);
  assert.equal(await stepsOf(world, "carol", web.id), null);
});

Deno.test("the steps can be hidden, in one project and for one browser", async () => {
  await using world = await newWorld();
  const { web, lab } = world;
  const hidden = await world.post("mike", `/project/${web.id}/first_steps`);
  assert.equal(hidden.status, 303);
  assert.equal(hidden.headers.get("location"), `/project/${web.id}/history`);
  assert.match(hidden.headers.get("set-cookie") ?? "", new RegExp(`Path=/project/${web.id}(;|$)`));
  const { first_steps } = cookiesOf(hidden);
  const response = await world.request(`/project/${web.id}/history`, {
    headers: { Cookie: `callboard=${world.people.mike.token}; first_steps=${first_steps}` },
  });
  assert.doesNotMatch(await htmlOf(response), /first-steps/);
  assert.ok(await stepsOf(world, "mike", web.id));
  assert.ok(await stepsOf(world, "dave", lab.id));
});
