import { openAccount, openProject, requireAdmin } from "@/lib/access/scope.ts";
import type { Role } from "@/lib/model/roles.ts";
import { textsAt } from "@/lib/base/claims.ts";
import type { FileRule } from "@/lib/access/file_rules.ts";
import { applyRules, requireEntry } from "@/lib/people/group_rules/apply.ts";
import type { GroupRule } from "@/lib/people/group_rules/schema.ts";
import {
  estimateRules,
  listFileRules,
  saveGroupRules,
  validateFileRules,
} from "@/lib/people/group_rules/service.ts";
import { linkIdentity } from "@/lib/people/identities/service.ts";
import { changeRole } from "@/lib/people/team/service.ts";
import { getMember } from "@/lib/access/members.ts";
import { getUserRow } from "@/lib/model/accounts.ts";
import assert from "node:assert/strict";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const rule = (value: string, gives: GroupRule["gives"], project_id: number | null = null) => ({
  provider: "",
  claim: "groups",
  value,
  gives,
  project_id,
});

const erin = ({ deps, people }: World) => requireAdmin({ deps, actor: people.erin.actor });

const save = (world: World, ...rules: GroupRule[]) => saveGroupRules(erin(world), { rules });

const comes = (world: World, person: Person, groups: unknown, provider = "main") =>
  applyRules(world.deps, world.people[person].id, { provider, claims: { groups } });

const roleOf = async (world: World, person: Person) =>
  (await getMember(world.kv, world.web.id, world.people[person].id)).value?.role ?? null;

const isAdmin = async (world: World, person: Person) =>
  (await getUserRow(world.kv, world.people[person].id)).admin;

Deno.test("a claim is found by its name, by a path, and by a name with dots in it", () => {
  const claims = {
    groups: ["a", "b", 7, { no: 1 }],
    one: "ops",
    realm_access: { roles: ["r"] },
    "https://example.com/groups": ["d.e"],
    "urn:roles": { admin: { org: "x" } },
  };
  assert.deepEqual(textsAt(claims, "groups"), ["a", "b", "7"]);
  assert.deepEqual(textsAt(claims, "one"), ["ops"]);
  assert.deepEqual(textsAt(claims, "realm_access.roles"), ["r"]);
  assert.deepEqual(textsAt(claims, "https://example.com/groups"), ["d.e"]);
  assert.deepEqual(textsAt(claims, "urn:roles"), ["admin"]);
  for (const none of ["nothing", "realm_access.none.deeper", "__proto__", "groups.length", ""]) {
    assert.deepEqual(textsAt(claims, none), [], none);
  }
});

Deno.test("groups give roles, of several the highest, and take away only what they gave", async () => {
  await using world = await newWorld();
  const { id } = world.web;
  await save(world, rule("dev", "task_runner", id), rule("lead", "manager", id));
  await comes(world, "dave", ["dev", "lead"]);
  assert.equal(await roleOf(world, "dave"), "manager");
  await comes(world, "dave", ["dev"]);
  assert.equal(await roleOf(world, "dave"), "task_runner");
  await comes(world, "dave", []);
  assert.equal(await roleOf(world, "dave"), null);
  // Carol was made a guest by hand. First no rule mentions her, then one does, then none.
  await comes(world, "carol", ["other"]);
  assert.equal(await roleOf(world, "carol"), "guest");
  await comes(world, "carol", ["lead"]);
  assert.equal(await roleOf(world, "carol"), "manager");
  await comes(world, "carol", []);
  assert.equal(await roleOf(world, "carol"), "guest");
});

Deno.test("a role that was changed by hand since, or that another provider gives, stays", async () => {
  await using world = await newWorld();
  const { deps, people, web } = world;
  await save(world, rule("dev", "task_runner", web.id));
  await comes(world, "dave", ["dev"]);
  const scope = await openProject({ deps, actor: people.alice.actor }, web.id, "add_people");
  await changeRole(scope, people.dave.id, { role: "manager" });
  await comes(world, "dave", []);
  assert.equal(await roleOf(world, "dave"), "manager");
  await changeRole(scope, people.dave.id, { role: "guest" });
  for (const provider of ["one", "two"]) await comes(world, "dave", ["dev"], provider);
  await comes(world, "dave", [], "one");
  assert.equal(await roleOf(world, "dave"), "task_runner");
});

Deno.test("groups make admins, and demote only those that they made; the last one stays", async () => {
  await using world = await newWorld();
  await save(world, rule("root", "admin"));
  await comes(world, "dave", ["root"]);
  assert.equal(await isAdmin(world, "dave"), true);
  await comes(world, "erin", []);
  assert.equal(await isAdmin(world, "erin"), true);
  await comes(world, "dave", []);
  assert.equal(await isAdmin(world, "dave"), false);
  await comes(world, "erin", ["root"]);
  await comes(world, "erin", []);
  assert.equal(await isAdmin(world, "erin"), true, "an admin by hand");
});

Deno.test("the last owner of a project stays, and the sign-in does not fail of that", async () => {
  await using world = await newWorld();
  await save(world, rule("dev", "guest", world.web.id), rule("dev", "guest", 999));
  await comes(world, "alice", ["dev"]);
  assert.equal(await roleOf(world, "alice"), "owner");
  assert.deepEqual(
    world.log.filter(({ event }) => event === "rule_not_followed").map(({ fields }) => fields.why),
    ["errors.last_owner", "errors.not_found"],
  );
});

Deno.test("rules, if there are any, decide who may sign in, by provider", async () => {
  await using world = await newWorld();
  const may = (groups: unknown, provider = "main") =>
    requireEntry(world.deps, { provider, claims: { groups } });
  await may([]);
  await save(world, { ...rule("staff", "sign_in"), provider: "main" });
  await may(["staff"]);
  await may([], "other");
  for (const groups of [[], undefined, "staf", { staff2: 1 }, ["Staff"]]) {
    await assert.rejects(may(groups), { key: "errors.external.not_allowed" });
  }
});

Deno.test("the file's rules name projects, and hold beside those of the page", async () => {
  const fileRules: FileRule[] = [
    { claim: "groups", value: "ops", gives: "manager", project: "Web shop" },
    { claim: "groups", value: "ops", gives: "manager", project: "No such project" },
  ];
  await using world = await newWorld({ deps: { fileRules } });
  await comes(world, "dave", ["ops"]);
  assert.equal(await roleOf(world, "dave"), "manager");
});

Deno.test("a name in the file means one project forever, even if another one gets that name later", async () => {
  const fileRules: FileRule[] = [
    { claim: "groups", value: "ops", gives: "manager", project: "Web shop" },
    { claim: "groups", value: "ops", gives: "guest", project: "Twins" },
  ];
  await using world = await newWorld({ deps: { fileRules } });
  const { deps, web, lab } = world;
  const rename = async (person: Person, id: number, name: string) =>
    assert.equal((await world.api(person, "PUT", `/api/project/${id}`, { id, name })).status, 204);
  const meant = async () =>
    (await listFileRules(erin(world))).map(({ project_id, problem }) => problem ?? project_id);
  assert.deepEqual(await meant(), [web.id, "unknown"]);
  await rename("alice", web.id, "Shop of the web");
  await rename("dave", lab.id, "Web shop");
  assert.deepEqual(await meant(), [web.id, "unknown"]);
  for (let n = 0; n < 2; n++) await world.api("erin", "POST", "/api/projects", { name: "Twins" });
  assert.deepEqual(await meant(), [web.id, "ambiguous"]);
  await comes(world, "carol", ["ops"]);
  assert.equal(await roleOf(world, "carol"), "manager");
  assert.equal((await getMember(world.kv, lab.id, world.people.carol.id)).value, null);
  await validateFileRules(deps);
  const logged = world.log.filter(({ event }) => event === "group_rule_not_in_force");
  assert.deepEqual(logged.map(({ fields: { project, why } }) => [project, why]), [
    ["Twins", "ambiguous"],
  ]);
  assert.match(
    await (await world.get("erin", "/users/rules")).text(),
    /several projects are named/,
  );
  assert.equal((await world.api("alice", "DELETE", `/api/project/${web.id}`)).status, 204);
  assert.deepEqual(await meant(), ["gone", "ambiguous"], "and no other project takes its place");
});

Deno.test("before rules are saved, a preview shows who would get which rights from them", async () => {
  await using world = await newWorld();
  const { deps, people, web } = world;
  for (const [person, groups] of [["dave", ["dev"]], ["bob", ["root"]]] as const) {
    await linkIdentity(openAccount({ deps, actor: people[person].actor }, people[person].id), {
      kind: "ldap",
      provider: "main",
      issuer: "ldaps://ldap.example.com",
      subject: person,
      profile: { username: person, name: person, email: `${person}@example.com` },
      claims: { groups },
    });
  }
  const rules = [rule("dev", "task_runner", web.id), rule("root", "admin")];
  const { lines } = await estimateRules(erin(world), { rules });
  const expected: [string, boolean, { project: string; role: Role }[]][] = [
    ["bob", true, []],
    ["dave", false, [{ project: "Web shop", role: "task_runner" }]],
  ];
  assert.deepEqual(lines.map((line) => [line.username, line.admin, line.roles]), expected);
  assert.equal(await roleOf(world, "dave"), null);
});

Deno.test("changes made by rules are shown in events", async () => {
  await using world = await newWorld();
  await save(world, rule("dev", "task_runner", world.web.id), rule("root", "admin"));
  await comes(world, "dave", ["dev", "root"]);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  assert.equal(body[0].description, "Rules for main gave dave the role task_runner");
  assert.equal(body[0].username, "dave");
  const { body: all } = await world.api("erin", "GET", "/api/events");
  const told = all.map(({ description }: { description: string }) => description);
  assert.ok(told.includes('Rules for main made user "dave" an admin'), told.join("\n"));
  assert.ok(told.includes("The group rules were changed; there are 2 now"), told.join("\n"));
});
