import assert from "node:assert/strict";
import { gitCredentialsOf } from "@/lib/resources/credential_plans.ts";
import { repositoryOf } from "@/lib/resources/run_resources.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const API = (world: World) => `/api/project/${world.web.id}/host_configs`;

const make = (world: World, body: Record<string, unknown>) =>
  world.api("mike", "POST", API(world), body);

async function passwordKey(world: World): Promise<number> {
  const { body } = await world.api("mike", "POST", `/api/project/${world.web.id}/keys`, {
    name: "Git password",
    type: "login_password",
    login_password: { login: "bob", password: "hush" },
  });
  return body.id;
}

Deno.test("Mike says which key git uses where, and runs get it", async () => {
  await using world = await newWorld();
  const ssh_key_id = await passwordKey(world);
  const typed = { type: "url", host: "https://git.example.com/team", ssh_key_id };
  const { status, body } = await make(world, typed);
  assert.equal(status, 201);
  const expected = { id: body.id, project_id: world.web.id, ...typed };
  assert.deepEqual(body, expected);
  const item = `${API(world)}/${body.id}`;
  assert.deepEqual((await world.api("mike", "GET", item)).body, expected);
  assert.deepEqual((await world.api("mike", "GET", API(world))).body, [expected]);

  const plan = await repositoryOf(world.deps, world.web.id, world.web.repositoryId);
  assert.deepEqual(plan.credentials?.map(({ name, site: { host, path } }) => [name, host, path]), [
    ["Git password", "git.example.com", "team"],
  ]);

  const key = `/api/project/${world.web.id}/keys/${ssh_key_id}`;
  const { body: refs } = await world.api("mike", "GET", `${key}/refs`);
  assert.deepEqual(refs.git_credentials, [{ id: body.id, name: typed.host }]);
  const refused = await world.api("mike", "DELETE", key);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /Git credential for "https:\/\/git\.example\.com\/team"/);

  const changed = { ...typed, type: "host", host: "git.example.org" };
  assert.equal((await world.api("mike", "PUT", item, changed)).status, 204);
  const [{ site }] = await gitCredentialsOf(world.deps, world.web.id);
  assert.deepEqual([site.scheme, site.host], ["ssh", "git.example.org"]);
  assert.equal((await world.api("mike", "DELETE", item)).status, 204);
  assert.equal((await world.api("mike", "DELETE", key)).status, 204);
  const { body: events } = await world.api("mike", "GET", `/api/project/${world.web.id}/events`);
  const about = events.filter(({ object_type }: { object_type: string }) =>
    object_type === "git_credential"
  );
  assert.deepEqual(about.map(({ action }: { action: string }) => action), [
    "deleted",
    "updated",
    "created",
  ]);
});

Deno.test("a place that git cannot have, a second key for it, and a key of no use there are refused", async () => {
  await using world = await newWorld();
  const ssh_key_id = await passwordKey(world);
  const good = { type: "url", host: "https://git.example.com", ssh_key_id };
  assert.equal((await make(world, good)).status, 201);
  const cases: [Record<string, unknown>, string, RegExp][] = [
    [{ ...good, host: "" }, "host", /required|empty/i],
    [{ ...good, host: "git.example.com" }, "host", /beginning of an address/],
    [{ ...good, host: "https://bob:pw@git.example.com" }, "host", /without a password/],
    [{ ...good, type: "host" }, "host", /name of a host/],
    [{ ...good, type: "host", host: "-oProxyCommand=id" }, "host", /name of a host/],
    [{ ...good, type: "nosuch" }, "type", /./],
    [{ ...good, host: "HTTPS://Git.example.com:443/" }, "host", /already/],
  ];
  for (const [body, field, reason] of cases) {
    const { status, body: answer } = await make(world, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(answer.fields?.[field] ?? answer.error, reason);
  }
  const { body: sshKey } = await world.api("mike", "POST", `/api/project/${world.web.id}/keys`, {
    name: "Generated",
    type: "ssh",
    generate: true,
  });
  const web = { ...good, host: "https://git.example.org", ssh_key_id: sshKey.id };
  assert.equal((await make(world, web)).status, 400);
  assert.equal((await make(world, { ...web, host: "git@git.example.org:" })).status, 201);
});

Deno.test("the page lists Git credentials, and its form creates, changes and deletes them", async () => {
  await using world = await newWorld();
  const ssh_key_id = await passwordKey(world);
  const list = `/project/${world.web.id}/git_credentials`;
  const typed = { type: "url", host: "https://git.example.com/team", ssh_key_id: `${ssh_key_id}` };
  const wrong = await world.post("mike", `${list}/new`, { ...typed, host: "http://plain" });
  assert.equal(wrong.status, 422);
  const created = await world.post("mike", `${list}/new`, typed);
  assert.equal(created.status, 303);
  const html = await (await world.get("mike", list)).text();
  assert.match(html, /https:\/\/git\.example\.com\/team/);
  assert.match(html, /Git password/);
  const [{ id }] = (await world.api("mike", "GET", API(world))).body;
  assert.equal((await world.get("carol", `${list}/${id}`)).status, 403);
  const form = await (await world.get("mike", `${list}/${id}`)).text();
  const [, version = ""] = /name="version" value="([^"]*)"/.exec(form) ?? [];
  const change = { ...typed, type: "host", host: "git.example.com", ...version && { version } };
  assert.equal((await world.post("mike", `${list}/${id}`, change)).status, 303);
  assert.equal((await world.post("mike", `${list}/${id}/delete`, {})).status, 303);
  assert.deepEqual((await world.api("mike", "GET", API(world))).body, []);
});
