import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import type { TokenScope } from "@/lib/model/token_limits.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { byToken, modelOf, tokenOf } from "@/tests/support/world/token_calls.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const SCOPES = ["read", "run", "manage"] as const;

/** Creates a token of the web project. */
async function newToken(world: World, body: object = {}, person: Person = "alice") {
  const path = `/api/project/${world.web.id}/tokens`;
  const answer = await world.api(person, "POST", path, { name: "ci", ...body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body as { id: number; token: string };
}

const listed = async (world: World, person: Person = "alice") =>
  (await world.api(person, "GET", `/api/project/${world.web.id}/tokens`)).body;

/** Operations without a project that its tokens may call. */
const OUTSIDE = ["getInfo", "listProjects"];

Deno.test("every operation asks a token of the project for the scope of the model", async () => {
  const differences: string[] = [];
  for (const operation of allOperations) {
    if (operation.access === "public") continue;
    await using world = await newWorld();
    const { path, body } = await goodCall(operation, world, "alice");
    const isInside = path.startsWith(`/api/project/${world.web.id}`);
    const isElsewhere = !isInside && operation.path.startsWith("/project/{projectId}");
    const needed = modelOf(operation);
    const tries = SCOPES.map((scope) => ({ scope, mayCall: needed.includes(scope) }))
      .toSorted((a, b) => Number(a.mayCall) - Number(b.mayCall));
    for (const { scope, mayCall } of tries) {
      const { token } = await newToken(world, { scopes: [scope] });
      const { status, body: answer } = await byToken(world, token, operation.method, path, body);
      const code: string | undefined = answer?.code;
      const isOfPeople = !isInside && !OUTSIDE.includes(operation.id) ||
        operation.id === "createProjectToken";
      const isRight = isElsewhere
        ? status === 404
        : isOfPeople
        ? status === 403 && ["insufficient_scope", "token_of_project"].includes(code!)
        : !mayCall
        ? status === 403 && code === "insufficient_scope" && answer.scope === needed[0]
        : code !== "insufficient_scope" && code !== "token_of_project" && status !== 401;
      if (!isRight) differences.push(`${operation.id} ${scope}: ${status} ${code}`);
    }
  }
  assert.deepEqual(differences, []);
});

Deno.test("a token of a project reaches no other project, no account and no page", async () => {
  await using world = await newWorld();
  const { web, lab } = world;
  const { token } = await newToken(world);
  const get = async (path: string) => await byToken(world, token, "GET", path);
  assert.equal((await get(`/api/project/${lab.id}/templates`)).status, 404);
  assert.deepEqual((await get("/api/projects")).body.map(({ id }: { id: number }) => id), [web.id]);
  assert.equal((await get("/api/user")).body.code, "token_of_project");
  assert.equal((await get(`/project/${web.id}/templates`)).status, 403);
  const made = await byToken(world, token, "POST", `/api/project/${web.id}/tokens`, { name: "x" });
  assert.deepEqual([made.status, made.body.code], [403, "token_of_project"]);
  const cookie = await world.request("/api/projects", {
    headers: { Cookie: `callboard=${token}` },
  });
  assert.equal(cookie.status, 401, "and it is no session");
});

Deno.test("the history names the token, and never a person", async () => {
  await using world = await newWorld();
  const { web } = world;
  const { token } = await newToken(world, { name: "deploys" });
  const tasks = `/api/project/${web.id}/tasks`;
  const started = await byToken(world, token, "POST", tasks, { template_id: web.templateId });
  assert.equal(started.status, 201, JSON.stringify(started.body));
  const { user_id, user_name } = started.body;
  assert.deepEqual([user_id, user_name], [null, "token deploys"]);
  const { body: events } = await world.api("alice", "GET", `/api/project/${web.id}/events`);
  const [event] = events;
  assert.equal(event.object_type, "task");
  assert.deepEqual([event.user_id, event.username], [null, "token deploys"]);
  const page = await (await world.get("alice", `/project/${web.id}/history`)).text();
  assert.match(page, /token deploys/);
});

Deno.test("a token stops with the rights of its creator, until someone keeps it", async () => {
  await using world = await newWorld();
  const { web, people, kv } = world;
  const mikes = `/api/project/${web.id}/users/${people.mike.id}`;
  const owner = async () => await world.api("alice", "PUT", mikes, { role: "owner" });
  await owner();
  const { id, token } = await newToken(world, {}, "mike");
  const works = async () =>
    (await byToken(world, token, "GET", `/api/project/${web.id}/templates`)).status;
  const state = async () => {
    const [{ state, reason, kept }] = await listed(world);
    return [state, reason, kept];
  };
  assert.equal(await works(), 200);
  assert.deepEqual(await state(), ["active", null, false]);
  await world.api("alice", "PUT", mikes, { role: "manager" });
  assert.deepEqual([await works(), await state()], [
    401,
    ["suspended", "creator_lost_rights", false],
  ]);
  await owner();
  assert.equal(await works(), 200);
  await world.api("alice", "DELETE", mikes);
  assert.deepEqual([await works(), await state()], [401, ["suspended", "creator_left", false]]);
  const keep = `/api/project/${web.id}/tokens/${id}/keep`;
  assert.equal((await world.api("bob", "POST", keep)).status, 403);
  const byOwn = await tokenOf(world, "alice", { may_make_tokens: true });
  assert.equal((await byToken(world, byOwn, "POST", keep)).body.code, "token_needs_session");
  assert.equal((await world.api("alice", "POST", keep)).status, 204);
  assert.deepEqual([await works(), await state()], [200, ["active", null, true]]);
  assert.equal((await world.api("erin", "DELETE", `/api/users/${people.mike.id}`)).status, 204);
  assert.equal(await works(), 200, "and it outlives the account");
  await world.api("alice", "DELETE", `/api/project/${web.id}/tokens/${id}`);
  assert.equal(await works(), 401);
  for await (const { value } of kv.list({ prefix: rowKeys.projectTokens(web.id) })) {
    assert.fail(JSON.stringify(value));
  }
});

Deno.test("an account that is deleted suspends its tokens, and says so", async () => {
  await using world = await newWorld();
  const { web, people } = world;
  const mikes = `/api/project/${web.id}/users/${people.mike.id}`;
  await world.api("alice", "PUT", mikes, { role: "owner" });
  const { token } = await newToken(world, { scopes: ["read"] }, "mike");
  await world.api("erin", "DELETE", `/api/users/${people.mike.id}`);
  const answer = await byToken(world, token, "GET", `/api/project/${web.id}/templates`);
  assert.equal(answer.status, 401);
  const [{ state, reason }] = await listed(world);
  assert.deepEqual([state, reason], ["suspended", "creator_deleted"]);
  const page = await (await world.get("alice", `/project/${web.id}/tokens`)).text();
  assert.match(page, /The account of its creator was deleted\./);
  const kept = await world.post("alice", `/project/${web.id}/tokens/keep`, {
    token: String((await listed(world))[0].id),
  });
  assert.equal(kept.status, 303);
  assert.equal((await listed(world))[0].state, "active");
});

Deno.test("the page creates a token, shows it once, and revokes it", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/tokens`;
  const answer = await world.post("alice", path, {
    name: "ci",
    scopes: ["read", "run"],
    networks: "192.0.2.0/24\n2001:db8::/32",
  });
  const html = await answer.text();
  assert.equal(answer.status, 200, html.slice(0, 300));
  const token = /[\w-]{43}\.\d+\.\d+/.exec(html)?.[0];
  assert.ok(token);
  assert.ok(!(await (await world.get("alice", path)).text()).includes(token));
  const [row] = await listed(world);
  assert.deepEqual(row.networks, ["192.0.2.0/24", "2001:db8::/32"]);
  const refused = await world.post("alice", path, { name: "", networks: "nowhere" });
  assert.equal(refused.status, 422);
  assert.equal((await world.get("mike", path)).status, 403);
  const revoked = await world.post("alice", `${path}/revoke`, { token: String(row.id) });
  assert.equal(revoked.status, 303);
  assert.deepEqual(await listed(world), []);
});

Deno.test("a token of a project is refused where people must be counted", async () => {
  await using world = await newWorld();
  const { web } = world;
  const { token } = await newToken(world);
  const templates = `/api/project/${web.id}/templates/${web.templateId}`;
  const { body: template } = await world.api("alice", "GET", templates);
  const put = await world.api("alice", "PUT", templates, {
    ...template,
    require_confirmation: true,
    approval: { not_starter: true },
  });
  assert.ok(put.status < 300, JSON.stringify(put.body));
  const tasks = `/api/project/${web.id}/tasks`;
  const { body: task } = await byToken(world, token, "POST", tasks, {
    template_id: web.templateId,
  });
  const vote = await byToken(world, token, "POST", `${tasks}/${task.id}/confirm`, {});
  assert.deepEqual([vote.status, vote.body.code], [403, "approvals.not_named"]);
});

Deno.test("a token that a personal one creates has no more than that", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/tokens`;
  const make = async (token: string, body: object) => {
    const answer = await byToken(world, token, "POST", path, { name: "x", ...body });
    return [answer.status, answer.body.code];
  };
  const small = await tokenOf(world, "alice", { scopes: ["manage"] });
  assert.deepEqual(await make(small, { scopes: ["manage"] }), [403, "token_makes_none"]);
  const maker = await tokenOf(world, "alice", {
    scopes: ["manage", "read"],
    may_make_tokens: true,
  });
  assert.deepEqual(await make(maker, { scopes: ["run"] }), [403, "token_more"]);
  assert.deepEqual(await make(maker, {}), [403, "token_more"]);
  assert.deepEqual(await make(maker, { scopes: ["read"] }), [201, undefined]);
  const admin = await world.api("alice", "POST", path, { name: "x", scopes: ["admin"] });
  assert.equal(admin.status, 400);
});

Deno.test("streams of a token end within 2 seconds after its creator has lost the rights", async () => {
  await using world = await newWorld();
  const { web, people } = world;
  const mikes = `/api/project/${web.id}/users/${people.mike.id}`;
  const { body: task } = await world.api("alice", "POST", `/api/project/${web.id}/tasks`, {
    template_id: web.templateId,
  });
  const changes: Record<string, (id: number) => Promise<unknown>> = {
    demoted: () => world.api("alice", "PUT", mikes, { role: "manager" }),
    revoked: (id) => world.api("alice", "DELETE", `/api/project/${web.id}/tokens/${id}`),
  };
  for (const [name, change] of Object.entries(changes)) {
    await world.api("alice", "PUT", mikes, { role: "owner" });
    const { id, token } = await newToken(world, { scopes: ["read" satisfies TokenScope] }, "mike");
    const response = await world.request(`/api/project/${web.id}/tasks/${task.id}/events`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    assert.equal(response.status, 200);
    const reader = response.body!.getReader();
    const ended = (async () => {
      while (!(await reader.read()).done);
    })();
    const began = performance.now();
    await change(id);
    await ended;
    assert.ok(performance.now() - began < 2_000, name);
  }
});
