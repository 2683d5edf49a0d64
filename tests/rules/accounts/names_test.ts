import assert from "node:assert/strict";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Adds an account that is a member of nothing. */
async function addNora({ api }: World): Promise<number> {
  const nora = { name: "Nora", username: "nora", email: "nora@example.com", password: "anything" };
  return (await api("erin", "POST", "/api/users", nora)).body.id;
}

const namesFor = async ({ api }: World, person: Person): Promise<string[]> =>
  (await api(person, "GET", "/api/users")).body
    .map(({ username }: { username: string }) => username).toSorted();

const TEAM = ["alice", "bob", "carol", "mike"];

Deno.test("people who may add members, and admins, get the names of all accounts", async () => {
  await using world = await newWorld();
  await addNora(world);
  const all = [...TEAM, "dave", "erin", "nora"].toSorted();
  for (const person of ["alice", "erin"] as const) {
    assert.deepEqual(await namesFor(world, person), all, person);
  }
  // Clients look a member up by name before they add it.
  const { body } = await world.api("alice", "GET", "/api/users");
  assert.deepEqual(Object.keys(body[0]).toSorted(), ["id", "name", "username"]);
});

Deno.test("everyone else gets the names of themselves and of the people of their projects", async () => {
  await using world = await newWorld();
  await addNora(world);
  for (const person of ["mike", "bob", "carol"] as const) {
    assert.deepEqual(await namesFor(world, person), TEAM, person);
  }
  // Dave owns another project. Without it, he may know of no one.
  for (const { id } of (await world.api("dave", "GET", "/api/projects")).body) {
    assert.equal((await world.api("dave", "DELETE", `/api/project/${id}`)).status, 204);
  }
  assert.deepEqual(await namesFor(world, "dave"), ["dave"]);
});

Deno.test("no one else learns whether an account exists, whatever they send", async () => {
  await using world = await newWorld();
  const { api, web } = world;
  const nora = await addNora(world);
  const [known, unknown] = [nora, nora + 50];
  const calls: [Person[], string, (id: number) => [path: string, body?: unknown]][] = [
    [["mike", "bob", "carol", "dave"], "GET", (id) => [`/api/users/${id}`]],
    [["mike", "bob", "carol"], "GET", (id) => [`/api/project/${web.id}/users/${id}`]],
    [["mike", "bob", "carol"], "POST", (user_id) => [
      `/api/project/${web.id}/users`,
      { user_id, role: "guest" },
    ]],
  ];
  for (const [people, method, call] of calls) {
    for (const person of people) {
      const [first, second] = await Promise.all(
        [known, unknown].map((id) => api(person, method, ...call(id))),
      );
      assert.ok([403, 404].includes(first.status), `${person} ${method}`);
      const [{ request_id: _, ...told }, { request_id: __, ...other }] = [first.body, second.body];
      assert.deepEqual([first.status, told], [second.status, other], `${person} ${method}`);
    }
  }
});

Deno.test("a rule for approvals names no one who is not a member", async () => {
  await using world = await newWorld();
  const { api, web } = world;
  const nora = await addNora(world);
  const steps = [{ kind: "approval", name: "Go", approval: { user_ids: [nora] } }];
  const path = `/api/project/${web.id}/workflows`;
  const { status, body } = await api("mike", "POST", path, { name: "Release", steps });
  const text = JSON.stringify(body) +
    JSON.stringify((await api("mike", "POST", `${path}/${body.id}/run`, {})).body) +
    JSON.stringify((await api("mike", "GET", `${path}/${body.id}`)).body);
  assert.equal(status, 201);
  assert.match(text, new RegExp(`"user_ids":\\[${nora}\\]`));
  assert.doesNotMatch(text, /nora/i);
});
