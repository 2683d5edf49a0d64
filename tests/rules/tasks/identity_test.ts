import assert from "node:assert/strict";
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify } from "jose";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { identitySeconds, issueIdentity } from "@/lib/queue/plan/identity.ts";
import { readKeys } from "@/lib/task_identity/key_ring.ts";
import { findTask } from "@/lib/model/tasks.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;
const VAULT = "https://vault.example.com";

/** A server below a path, as its proxy makes it public. */
const newStage = () =>
  newWorld({ config: { url: new URL("http://callboard.test/tools/"), basePath: "/tools" } });

/** Returns a receiver of identities that knows nothing but the address of the discovery. */
async function newVerifier(world: World) {
  const read = async (address: string) => {
    const answer = await world.request(new URL(address).pathname);
    assert.match(answer.headers.get("cache-control")!, /public, max-age=300/);
    return answer;
  };
  const url = "http://callboard.test/tools/.well-known/openid-configuration";
  const { issuer, jwks_uri } = await (await read(url)).json();
  assert.equal(`${issuer}/.well-known/openid-configuration`, url);
  return async (token: string, audience = VAULT) => {
    // A new set has nothing cached, as that of a receiver whose cache has expired.
    const keys = createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: read });
    const currentDate = world.clock.now();
    return (await jwtVerify(token, keys, { issuer, audience, currentDate })).payload;
  };
}

/** Starts a task, and returns a function that issues identities for it. */
async function newTask(world: World, more: object = {}) {
  const { web, deploy, deps } = world;
  const form = { template_id: deploy.id, ...more };
  const { body } = await world.api("bob", "POST", `/tools/api/project/${web.id}/tasks`, form);
  const task = (await findTask(world.kv, web.id, body.id))!;
  return async (seconds = 3600, of = deps) =>
    revealed(await issueIdentity(of, task, VAULT, seconds)) as string;
}

Deno.test("a receiver that knows our address believes what an identity says", async () => {
  await using world = await newStage();
  const verify = await newVerifier(world);
  const { web, deploy, people } = world;
  const token = await (await newTask(world))(600);
  const { jti, iat, nbf, exp, ...claims } = await verify(token);
  assert.match(jti!, /^[0-9a-f-]{36}$/);
  assert.deepEqual([nbf, exp], [iat, iat! + 600]);
  assert.deepEqual(claims, {
    iss: "http://callboard.test/tools",
    aud: VAULT,
    sub: `project:${web.id}:template:${deploy.id}`,
    project_id: String(web.id),
    project_name: "Web shop",
    template_id: String(deploy.id),
    template_name: "Deploy shop",
    task_id: "1",
    trigger: "manual",
    dry_run: "false",
    user_id: String(people.bob.id),
    username: "bob",
    branch: "main",
    environment_ids: [String(web.environmentId)],
  });
  await assert.rejects(verify(token, "sts.amazonaws.com"), /aud/);
  await assert.rejects(verify(token.slice(0, -4) + "AAAA"), /signature/);
  world.clock.advance(601_000);
  await assert.rejects(verify(token), /exp/);
});

Deno.test("a dry run has another subject, so that it is not taken for a run", async () => {
  await using world = await newStage();
  const { sub, dry_run } = decodeJwt(await (await newTask(world, { dry_run: true }))());
  assert.equal(sub, `project:${world.web.id}:template:${world.deploy.id}:dry_run`);
  assert.equal(dry_run, "true");
});

Deno.test("keys rotate every 30 days, and each is published a day before and after", async () => {
  await using world = await newStage();
  const verify = await newVerifier(world);
  const issue = await newTask(world);
  const published = async () =>
    (await (await world.request("/tools/.well-known/jwks.json")).json()).keys as object[];
  const kidOf = (token: string) => JSON.parse(atob(token.split(".")[0])).kid;
  const first = await issue();
  world.clock.advance(29 * DAY_MS);
  const last = await issue(2 * 3600);
  assert.equal(kidOf(last), kidOf(first));
  assert.equal((await published()).length, 2);
  world.clock.advance(DAY_MS);
  const next = await issue();
  assert.notEqual(kidOf(next), kidOf(first));
  world.clock.advance(-DAY_MS);
  await verify(last);
  world.clock.advance(DAY_MS);
  assert.equal((await published()).length, 2);
  await verify(next);
  world.clock.advance(DAY_MS);
  assert.equal((await published()).length, 1);
  assert.ok((await published()).every((key) => !("d" in key)), "no private key");
});

Deno.test("servers that share a store agree on its keys, whoever is first", async () => {
  await using world = await newStage();
  const issue = await newTask(world);
  const other = { ...world.deps };
  const verify = await newVerifier(world);
  const round = async () => {
    const all = Array.from({ length: 20 }, (_, n) => issue(60, n % 2 ? other : world.deps));
    const tokens = await Promise.all(all);
    for (const token of tokens) await verify(token);
    return new Set(tokens.map((token) => JSON.parse(atob(token.split(".")[0])).kid));
  };
  const kids: string[] = [];
  for (let rounds = 0; rounds < 4; rounds++) {
    const round_kids = await round();
    assert.equal(round_kids.size, 1);
    kids.push(...round_kids);
    await Promise.all([readKeys(world.deps), readKeys(other)]);
    world.clock.advance(30 * DAY_MS);
  }
  assert.ok((await readKeys(world.deps)).length <= 2);
});

Deno.test("a clock that was far ahead or is set back leaves a key that signs", async () => {
  await using world = await newStage();
  const verify = await newVerifier(world);
  const issue = await newTask(world);
  const today = world.clock.now();
  world.clock.set("2034-01-01T00:00:00Z");
  await verify(await issue());
  world.clock.set("2044-01-01T00:00:00Z");
  await verify(await issue());
  world.clock.set(today);
  await verify(await issue());
  world.clock.advance(31 * DAY_MS);
  await verify(await issue());
});

Deno.test("a run gets its identity as a secret, if its template asks for one", async () => {
  await using world = await newStage();
  const { web, deps } = world;
  const verify = await newVerifier(world);
  const templates = `/tools/api/project/${web.id}/templates`;
  const planOf = async (fields: Record<string, unknown>) => {
    const template = await world.api("alice", "POST", templates, templateForm(world, fields));
    assert.equal(template.status, 201, JSON.stringify(template.body));
    const form = { template_id: template.body.id };
    const { body } = await world.api("bob", "POST", `/tools/api/project/${web.id}/tasks`, form);
    return await makePlan(deps, (await findTask(world.kv, web.id, body.id))!);
  };
  const plan = await planOf({ task_identity: true, task_identity_audience: VAULT });
  assert.deepEqual(Object.keys(plan.secretEnv), ["CALLBOARD_ID_TOKEN", "SEMAPHORE_JWT"]);
  const { CALLBOARD_ID_TOKEN: token, SEMAPHORE_JWT: same } = revealed(plan.secretEnv);
  assert.equal(same, token);
  await verify(token);
  assert.ok(!Deno.inspect(plan, { depth: 9 }).includes(token));
  const ofServer = revealed((await planOf({ task_identity: true })).secretEnv);
  await verify(ofServer.CALLBOARD_ID_TOKEN, "http://callboard.test/tools");
  assert.deepEqual((await planOf({})).secretEnv, {});
  deps.config.url = null;
  await assert.rejects(planOf({ task_identity: true }), { key: "errors.run.identity_address" });
});

Deno.test("identities of a key that was revoked are refused", async () => {
  await using world = await newStage();
  const verify = await newVerifier(world);
  const issue = await newTask(world);
  const token = await issue();
  await verify(token);
  const page = "/tools/admin/identity";
  const shown = async () => await (await world.get("erin", page)).text();
  const kid = JSON.parse(atob(token.split(".")[0])).kid as string;
  assert.match(await shown(), new RegExp(`title="${kid}"`));
  assert.equal((await world.post("erin", page)).status, 303);
  assert.doesNotMatch(await shown(), new RegExp(kid));
  await assert.rejects(verify(token), /no applicable key/);
  await verify(await issue());
  const { body } = await world.api("erin", "GET", "/tools/api/events?object_type=identity_keys");
  assert.equal(body[0].description, "All keys that sign the identities of tasks were replaced");
  for (const person of ["alice", "bob"] as const) {
    assert.notEqual((await world.post(person, page)).status, 303);
  }
});

Deno.test("the form of a template says that a server without an address has no identities", async () => {
  await using world = await newWorld();
  const form = async () =>
    await (await world.get("alice", `/project/${world.web.id}/templates/new/edit`)).text();
  assert.match(await form(), /tasks get no identities\. Set CALLBOARD_URL/);
  world.deps.config.url = new URL("http://callboard.test/");
  assert.doesNotMatch(await form(), /tasks get no identities/);
});

Deno.test("a server without an address has no identities", async () => {
  await using world = await newWorld();
  for (const name of ["openid-configuration", "jwks.json"]) {
    const answer = await world.request(`/.well-known/${name}`);
    assert.equal(answer.status, 404);
    assert.match(answer.headers.get("content-type")!, /json/);
    await answer.body?.cancel();
  }
  assert.equal((await world.request("/.well-known/jwks.json", { method: "POST" })).status, 405);
});

Deno.test("identities last an hour, or as long as a task may run", () => {
  const of = (taskTimeLimitMs: number) => identitySeconds({ taskTimeLimitMs });
  assert.deepEqual([of(0), of(7_200_000), of(90_000)], [3600, 3600, 90]);
});
