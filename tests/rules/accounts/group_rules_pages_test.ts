import { openAccount, requireAdmin } from "@/lib/access/scope.ts";
import { readGroupRules, saveGroupRules } from "@/lib/people/group_rules/service.ts";
import { linkIdentity } from "@/lib/people/identities/service.ts";
import assert from "node:assert/strict";
import { fieldOf, htmlOf, sentForm } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const PAGE = "/users/rules";

const erin = ({ deps, people }: World) => requireAdmin({ deps, actor: people.erin.actor });
const rulesOf = async (world: World) => (await readGroupRules(erin(world))).rules;

/** The first rule as form fields. */
const typed = ({ web }: World, more: Record<string, string> = {}) => ({
  "rules.0.provider": "",
  "rules.0.claim": "groups",
  "rules.0.value": "ops",
  "rules.0.gives": "manager",
  "rules.0.project_id": String(web.id),
  ...more,
});

async function daveKnown({ deps, people: { dave } }: World) {
  await linkIdentity(openAccount({ deps, actor: dave.actor }, dave.id), {
    kind: "oidc",
    provider: "main",
    issuer: "https://id.example.com",
    subject: "d",
    profile: { username: "dave", name: "Dave", email: "dave@example.com" },
    claims: { groups: ["ops"] },
  });
}

Deno.test("a preview shows who would get which rights from the rules before they are saved", async () => {
  await using world = await newWorld();
  await daveKnown(world);
  const first = await world.post("erin", PAGE, typed(world));
  assert.equal(first.status, 200);
  const html = await htmlOf(first);
  assert.match(html, /Effect of these rules.*dave.*Web shop: Manager/);
  assert.match(html, /Save rules/);
  assert.deepEqual(await rulesOf(world), []);
  // Later input that the server has not seen is shown first, too.
  const shown = sentForm(html, PAGE);
  const other = await world.post("erin", PAGE, { ...shown, "rules.0.value": "dev" });
  assert.equal(other.status, 200);
  assert.deepEqual(await rulesOf(world), []);
  assert.equal((await world.post("erin", PAGE, shown)).status, 303);
  assert.deepEqual((await rulesOf(world)).map(({ value, gives }) => [value, gives]), [[
    "ops",
    "manager",
  ]]);
});

Deno.test("rows are added and removed without a script, and errors are shown at their fields", async () => {
  await using world = await newWorld();
  const added = await htmlOf(await world.post("erin", PAGE, { ...typed(world), rule: "add" }));
  assert.match(fieldOf(added, "rules.1.value"), /value=""|value\b/);
  const gone = await htmlOf(await world.post("erin", PAGE, { ...typed(world), rule: "remove.0" }));
  assert.equal(fieldOf(gone, "rules.0.value"), "");
  const wrong = await world.post("erin", PAGE, {
    ...typed(world, { "rules.0.project_id": "", "rules.0.value": "" }),
  });
  assert.equal(wrong.status, 422);
  const html = await htmlOf(wrong);
  assert.match(html, /Rule 1, Group: This is required\./);
  assert.match(html, /Rule 1, Project: This is required\./);
});

Deno.test("the second of two administrators who change the rules in parallel sees a conflict", async () => {
  await using world = await newWorld();
  const opened = await htmlOf(await world.get("erin", PAGE));
  const form = { ...sentForm(opened, PAGE), ...typed(world) };
  const seen = sentForm(await htmlOf(await world.post("erin", PAGE, form)), PAGE);
  await saveGroupRules(erin(world), { rules: [] });
  assert.equal((await world.post("erin", PAGE, seen)).status, 303, "the same as before");
  const stale = sentForm(await htmlOf(await world.post("erin", PAGE, form)), PAGE);
  assert.equal((await world.post("erin", PAGE, stale)).status, 409);
});

Deno.test("rules and people who wait are there for administrators alone", async () => {
  await using world = await newWorld();
  for (const path of [PAGE, "/users/waiting"]) {
    for (const person of ["alice", "dave"] as const) {
      assert.equal((await world.get(person, path)).status, 404);
      assert.equal((await world.post(person, path, typed(world))).status, 404);
    }
    assert.equal((await world.get(null, path)).status, 303);
  }
});
