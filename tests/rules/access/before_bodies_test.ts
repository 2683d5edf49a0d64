import assert from "node:assert/strict";
import type { Operation } from "@/lib/access/operation.ts";
import { PROTOCOL } from "@/lib/runner/protocol.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

/** Bodies that no operation takes, and one that is never sent to its end. */
const GARBAGE = ["{", "[1, 2", '"text"', "\u0000", '{"__proto__": 1e999}'];

/** Operations whose credentials are in the body, or that need none. */
const OPEN = new Set([
  ...["signIn", "signOut", "endSessionsByProvider", "callWebhook"],
]);

const sends = ({ method }: Operation) => method !== "GET";

/** Sends a body that fails as soon as someone reads it, and says whether someone has. */
function unreadBody(bytes: number) {
  let isRead = false;
  const body = new ReadableStream({
    type: "bytes",
    pull() {
      isRead = true;
      throw new Error("read");
    },
  });
  return { body, headers: { "Content-Length": String(bytes) }, wasRead: () => isRead };
}

async function send(
  world: World,
  { method }: Operation,
  path: string,
  body: string,
  person: Person | null,
) {
  const headers = {
    "Content-Type": "application/json",
    ...person && { Cookie: `callboard=${world.people[person].token}` },
  };
  return await readAnswer(await world.request(path, { method, headers, body }));
}

const told = ({ body }: { body: { error?: unknown } }) => {
  assert.equal(typeof body?.error, "string", JSON.stringify(body));
  assert.match(String(body.error), /^\S.*[.?!]$/s);
};

for (const operation of allOperations.filter(sends)) {
  const { id, access } = operation;
  Deno.test(`${id}: callers without the right are refused before their body is read`, async () => {
    await using world = await newWorld();
    const { path } = await goodCall(operation, world, "erin");
    const refused = access === "public" ? [] : await Promise.all(
      GARBAGE.map((body) => send(world, operation, path, body, null)),
    );
    for (const answer of refused) {
      assert.equal(answer.status, 401, JSON.stringify(answer.body));
      told(answer);
    }
    if (access === "public" && !OPEN.has(id)) {
      const statuses = await Promise.all(
        GARBAGE.map(async (body) => (await send(world, operation, path, body, null)).status),
      );
      assert.ok(
        statuses.every((status) => [401, 403, 404, 426].includes(status)),
        `${id} ${statuses}`,
      );
    }
    if (access === "public") return;
    for (const person of ["bob", "carol", "dave"] as const) {
      const right = await send(world, operation, path, "{", person);
      const withoutBody = await send(world, operation, path, "{}", person);
      const isRefused = [403, 404].includes(withoutBody.status);
      if (isRefused && operation.body) {
        assert.equal(right.status, withoutBody.status, `${person} ${id}`);
      }
      if (right.status >= 400) told(right);
    }
    const { body, headers, wasRead } = unreadBody(1e12);
    const large = await world.request(path, {
      method: operation.method,
      headers: { ...headers, "Content-Type": "application/json" },
      body,
    });
    assert.equal(large.status, 401);
    assert.equal(wasRead(), false, "cheaply");
    await large.body?.cancel();
  });
}

Deno.test("a version of the runners' protocol is plain digits", async () => {
  await using world = await newWorld();
  const ask = async (version: string) => {
    const response = await world.request("/api/runner/register", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Callboard-Runner": version },
      body: "{}",
    });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await ask(String(PROTOCOL)), 400, "the body is looked at");
  for (const version of ["1e0", "0x1", "+1", "1.0", "0b1", "1,1", "01e0", "", "one"]) {
    assert.equal(await ask(version), 426, version);
  }
});
