import assert from "node:assert/strict";
import { z } from "zod";
import { allOperations } from "@/lib/openapi/operations.ts";
import { goodCall } from "@/tests/support/api_calls.ts";
import { newWorld, type World } from "@/tests/support/world.ts";

/** A part of a KV key may have 2 KiB; this passes limits that count letters. */
const LONG = "é".repeat(2_000);

const propertiesOf = (schema: z.ZodType | undefined): string[] =>
  Object.keys(
    schema ? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).properties ?? {} : {},
  );

function assertUnbroken(world: World, what: string, { status }: { status: number }) {
  assert.deepEqual(world.log.filter(({ level }) => level === "error"), [], what);
  assert.ok(status < 500, `${what}: ${status}`);
}

Deno.test("no text of a call is too long for the key it becomes a part of", async () => {
  await using world = await newWorld();
  for (const operation of allOperations) {
    const { method, id } = operation;
    const { path, body } = await goodCall(operation, world, "erin");
    const send = async (name: string, path: string, body: unknown) =>
      assertUnbroken(world, `${id} ${name}`, await world.api("erin", method, path, body));
    for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
      if (name.endsWith("Id")) continue;
      const at = operation.path.split("/").indexOf(`{${name}}`) + 1;
      await send(name, path.split("/").with(at, encodeURIComponent(LONG)).join("/"), body);
    }
    for (const name of propertiesOf(operation.query)) {
      await send(name, `${path}?${new URLSearchParams({ [name]: LONG })}`, body);
    }
    if (id === "signOut") continue;
    for (const name of propertiesOf(operation.body)) {
      await send(name, path, { ...body as object, [name]: LONG });
    }
  }
});

interface Property {
  maxLength?: number;
  anyOf?: Property[];
  properties?: Record<string, Property>;
}

/** The longest texts that a body may have, in letters that take the most bytes; null without any. */
function longest({ maxLength, anyOf, properties }: Property): unknown {
  if (maxLength !== undefined) return "€".repeat(maxLength);
  if (properties) return longestMembers(properties);
  return anyOf?.map(longest).find((value) => value !== null) ?? null;
}

const longestMembers = (properties: Record<string, Property>) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, longest(property)] as const)
      .filter(([, value]) => value !== null),
  );

Deno.test("the longest texts that a body may have fit into the store, alone and together", async () => {
  await using world = await newWorld();
  for (const operation of allOperations) {
    const { method, id, body: schema } = operation;
    if (!schema) continue;
    const { path, body } = await goodCall(operation, world, "erin");
    const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const long = longestMembers(properties as Record<string, Property>);
    for (const changes of [...Object.entries(long).map((entry) => [entry]), Object.entries(long)]) {
      const sent = { ...body as object, ...Object.fromEntries(changes) };
      assertUnbroken(
        world,
        `${id} ${changes}`.slice(0, 80),
        await world.api("erin", method, path, sent),
      );
    }
  }
});

Deno.test("no address of a page is too long for the key it becomes a part of", async () => {
  await using world = await newWorld();
  const project = `/project/${world.web.id}`;
  for (const path of [`${project}/activity`, `${project}/history`, `${project}/templates`]) {
    for (const name of ["before", "status", "t"]) {
      const query = new URLSearchParams({ [name]: LONG });
      assertUnbroken(world, `${path} ${name}`, await world.get("alice", `${path}?${query}`));
    }
  }
  const form = { auth: LONG.slice(0, 254), password: "a guess" };
  assertUnbroken(world, "signing in", await world.post(null, "/auth/login", form));
});

Deno.test("answers and arguments that are too large are told with their limit", async () => {
  await using world = await newWorld();
  const start = async (input: object) =>
    (await world.api("alice", "POST", `/api/project/${world.web.id}/tasks`, {
      template_id: world.deploy.id,
      ...input,
    })).body;
  const tooMany = { a: "x".repeat(17_000) };
  for (const field of ["environment", "secret"]) {
    for (const answers of [tooMany, JSON.stringify(tooMany)]) {
      assert.match((await start({ [field]: answers })).error, /answers are too large.* 16384 /);
    }
    assert.match((await start({ [field]: "[]" })).error, /must be a JSON object/);
  }
  assert.match((await start({ arguments: Array(2_000).fill("-v") })).error, /at most 8192/);
});

Deno.test("a task that KV could not store is refused, and takes no build's version", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { body } = await world.api("alice", "GET", `${project}/templates/${world.deploy.id}`);
  const made = await world.api("alice", "POST", `${project}/templates`, {
    ...body,
    id: 0,
    type: "build",
    start_version: "1.0.0",
    task_params: { allow_override_limit: true },
  });
  const start = (limit: string[]) =>
    world.api("alice", "POST", `${project}/tasks`, { template_id: made.body.id, limit });
  const refused = await start(Array(200).fill("h".repeat(500)));
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /at most 57344 bytes/);
  assert.equal((await start(["web"])).body.version, "1.0.0");
});
