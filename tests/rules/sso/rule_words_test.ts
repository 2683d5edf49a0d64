import assert from "node:assert/strict";
import { openAccount, requireAdmin } from "@/lib/access/scope.ts";
import { getMember } from "@/lib/access/members.ts";
import { applyRules } from "@/lib/people/group_rules/apply.ts";
import type { GroupRule } from "@/lib/people/group_rules/schema.ts";
import { saveGroupRules } from "@/lib/people/group_rules/service.ts";
import { takeBackOfGoneProviders, unlinkProvider } from "@/lib/people/group_rules/take_back.ts";
import { linkIdentity, listIdentities, unlinkIdentity } from "@/lib/people/identities/service.ts";
import { getUserRow } from "@/lib/model/accounts.ts";
import { PASSWORD, type Person } from "@/tests/support/world/cast.ts";
import { providersOf } from "@/tests/support/services/sso_browser.ts";
import { startProvider } from "@/tests/support/services/oidc_provider.ts";
import { newWorld, type World, type WorldOptions } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;

const rule = (value: string, gives: GroupRule["gives"], project_id: number | null) => ({
  ...{ provider: "main", claim: "groups", value, gives, project_id },
});

/**
 * Creates a world with the provider "main", whose group "ops" makes admins and managers of the web
 * shop.
 */
async function newRuleWorld(options: WorldOptions = {}): Promise<World> {
  await using provider = await startProvider();
  const world = await newWorld({
    ...options,
    deps: { providers: providersOf({ main: provider }), ...options.deps },
  });
  const rules = [rule("ops", "admin", null), rule("ops", "manager", world.web.id)];
  await saveGroupRules(requireAdmin({ deps: world.deps, actor: world.people.erin.actor }), {
    rules,
  });
  return world;
}

const accountOf = ({ deps, people }: World, person: Person) =>
  openAccount({ deps, actor: people[person].actor }, people[person].id);

/** Links an account with the provider, which says that the person is in "ops". */
async function joinOps(world: World, person: Person): Promise<void> {
  const claims = { groups: ["ops"] };
  await linkIdentity(accountOf(world, person), {
    ...{ kind: "oidc", provider: "main", issuer: "https://id.example.com", subject: person },
    profile: { username: person, name: person, email: `${person}@example.com` },
    claims,
  });
  await applyRules(world.deps, world.people[person].id, { provider: "main", claims });
}

/** Returns whether a person is an admin, and their role in the web shop. */
async function rightsOf({ kv, people, web }: World, person: Person) {
  const { id } = people[person];
  const { value } = await getMember(kv, web.id, id);
  return [(await getUserRow(kv, id)).admin, value?.role ?? null];
}

/**
 * Returns a function that calls the API with a new token. Its status shows whether the person is an
 * admin, since only admins may see other accounts.
 */
async function tokenOf(world: World, person: Person) {
  const { body } = await world.api(person, "POST", "/api/user/tokens");
  return async () => {
    const headers = { Authorization: `Bearer ${body.id}` };
    const response = await world.request(`/api/users/${world.people.dave.id}`, { headers });
    await response.body?.cancel();
    return response.status;
  };
}

const eventsOf = async (world: World) => {
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  return body.map(({ description }: { description: string }) => description);
};

Deno.test("unlinking takes back what rules gave, and what was there by hand comes back", async () => {
  await using world = await newRuleWorld();
  await joinOps(world, "carol");
  assert.deepEqual(await rightsOf(world, "carol"), [true, "manager"]);
  const mayAll = await tokenOf(world, "carol");
  assert.equal(await mayAll(), 200);
  const [{ id }] = await listIdentities(accountOf(world, "carol"));
  await unlinkProvider(accountOf(world, "carol"), id, PASSWORD);
  assert.deepEqual(await rightsOf(world, "carol"), [false, "guest"]);
  assert.equal(await mayAll(), 403);
  assert.match((await eventsOf(world))[0], /Rules for main gave carol the role guest/);
});

Deno.test("an unlinking that was cut off is carried on by the next request", async () => {
  await using world = await newRuleWorld();
  await joinOps(world, "carol");
  const mayAll = await tokenOf(world, "carol");
  const [{ id }] = await listIdentities(accountOf(world, "carol"));
  await unlinkIdentity(accountOf(world, "carol"), id, PASSWORD);
  assert.deepEqual(await rightsOf(world, "carol"), [true, "manager"]);
  assert.equal(await mayAll(), 403);
  assert.deepEqual(await rightsOf(world, "carol"), [false, "guest"]);
});

Deno.test("after a time without a word of the provider, tokens and passwords lose what rules gave", async () => {
  await using world = await newRuleWorld();
  await joinOps(world, "carol");
  const mayAll = await tokenOf(world, "carol");
  world.clock.advance(90 * DAY_MS);
  assert.equal(await mayAll(), 200, "until then they count");
  await applyRules(world.deps, world.people.carol.id, {
    provider: "main",
    claims: { groups: ["ops"] },
  });
  world.clock.advance(90 * DAY_MS);
  assert.equal(await mayAll(), 200, "from the last sign-in on");
  world.clock.advance(DAY_MS);
  assert.equal(await mayAll(), 403);
  assert.deepEqual(await rightsOf(world, "carol"), [false, "guest"]);
  const { fields } = world.log.find(({ event }) => event === "rules_taken_back")!;
  assert.deepEqual(fields.user, world.people.carol.id);
});

Deno.test("with that limit disabled, they count forever", async () => {
  await using world = await newRuleWorld({ config: { groupRulesDays: 0 } });
  await joinOps(world, "carol");
  const mayAll = await tokenOf(world, "carol");
  world.clock.advance(4_000 * DAY_MS);
  assert.equal(await mayAll(), 200);
});

Deno.test("the last admin and the last owner keep their role, and the answer says so", async () => {
  await using world = await newRuleWorld();
  await joinOps(world, "carol");
  const mayAll = await tokenOf(world, "carol");
  const erin = await world.api("erin", "GET", `/api/users/${world.people.erin.id}`);
  const change = { ...erin.body, admin: false };
  const path = `/api/users/${world.people.erin.id}`;
  assert.equal((await world.api("carol", "PUT", path, change)).status, 204);
  world.clock.advance(91 * DAY_MS);
  for (let n = 0; n < 3; n++) assert.equal(await mayAll(), 200);
  assert.deepEqual(await rightsOf(world, "carol"), [true, "guest"]);
  const events = await Array.fromAsync(world.kv.list<{ action: string }>({ prefix: ["events"] }));
  assert.equal(events.filter(({ value }) => value.action === "last_admin_kept").length, 1);
});

Deno.test("a provider that the server no longer has gives nothing any more", async () => {
  await using world = await newRuleWorld();
  await joinOps(world, "carol");
  await takeBackOfGoneProviders(world.deps);
  assert.deepEqual(await rightsOf(world, "carol"), [true, "manager"]);
  await takeBackOfGoneProviders({ ...world.deps, providers: providersOf({}) });
  assert.deepEqual(await rightsOf(world, "carol"), [false, "guest"]);
});
