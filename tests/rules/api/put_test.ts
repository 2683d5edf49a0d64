import assert from "node:assert/strict";
import * as z from "zod";
import {
  makeCase,
  type Members,
  REPLACE_CASES,
  replacing,
} from "@/tests/support/world/replacements.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const isEmpty = (value: unknown) =>
  [false, null, "", 0].includes(value as never) || Array.isArray(value) && value.length === 0;

/** Removes the ids that only the server knows. */
const known = (value: unknown) =>
  Array.isArray(value)
    ? value.map((one) => {
      if (typeof one !== "object") return one;
      const { id: _, ...rest } = one;
      return rest;
    })
    : value;

/** Calls that replace only a part of an object. */
const PARTS: Record<string, string | undefined> = {
  setScheduleActive: "active",
  setTemplateDescription: "description",
};

/**
 * Calls that change only what is sent. Tokens have no call that gets one: `token_scopes_test`.
 * Roles are found by slug, and keep their permissions if none are sent: `roles_test`.
 */
const CHANGING = ["updateToken", "updateRole", "updateServerRole"];

for (const operation of replacing) {
  const { id } = operation;
  if (CHANGING.includes(id)) continue;
  Deno.test(`${id}: what is not sent is empty afterwards`, async () => {
    await using world = await newWorld();
    const schema = z.toJSONSchema(operation.body!, { io: "input", unrepresentable: "any" });
    const mayMiss = Object.keys(schema.properties ?? {})
      .filter((name) => !schema.required?.includes(name));
    if (mayMiss.length === 0) return;
    const cases = await REPLACE_CASES[id]?.(world) ?? [];
    const told = new Set(
      cases.flatMap(({ needed, optional }) => Object.keys({ ...needed, ...optional })),
    );
    assert.deepEqual(mayMiss.filter((name) => !told.has(name)), [], `${id} has no case for these`);
    for (const { after: kept = {}, ...one } of cases) {
      const item = await makeCase(world, id, one, { ...one.needed, ...one.optional });
      const get = async () => (await world.api("erin", "GET", item)).body as Members;
      const stored = await get();
      const part = PARTS[id];
      const [path, body] = part ? [`${item}/${part}`, {}] : [item, one.needed];
      const put = await world.api("erin", "PUT", path, body);
      assert.equal(put.status, 204, JSON.stringify(put.body));
      const left = await get();
      for (const [name, sent] of Object.entries(one.optional)) {
        if (name in kept) {
          assert.deepEqual(known(left[name]), kept[name][0], `${id}: ${name}`);
        } else if (name in left) {
          assert.equal(isEmpty(stored[name]), isEmpty(sent), `${id}: ${name} was not stored`);
          assert.ok(isEmpty(left[name]), `${id}: ${name} is ${JSON.stringify(left[name])}`);
        }
      }
    }
  });
}

Deno.test("one's own admin switch stays when it is not sent", async () => {
  await using world = await newWorld();
  const path = `/api/users/${world.people.erin.id}`;
  const sent = { name: "Erin", username: "erin", email: "erin@example.com" };
  assert.equal((await world.api("erin", "PUT", path, sent)).status, 204);
  assert.equal((await world.api("erin", "GET", "/api/user")).body.admin, true);
  assert.equal((await world.api("erin", "PUT", path, { ...sent, admin: false })).status, 403);
});
