import assert from "node:assert/strict";
import * as z from "zod";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Passes limits that count letters, although a part of a KV key may have only 2 KiB. */
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

/**
 * Returns the longest texts that a body may have, in letters with the most bytes. Null if it has no
 * texts.
 */
function longest({ maxLength, anyOf, properties }: Property): unknown {
  if (maxLength !== undefined) return "€".repeat(maxLength);
  if (properties) {
    const members = longestMembers(properties);
    return Object.keys(members).length > 0 ? members : null;
  }
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
        // Signing in ends the session that is sent along.
        await world.api(operation.access === "public" ? null : "erin", method, path, sent),
      );
    }
    // Other calls are refused during maintenance.
    if (id === "setMaintenance") await world.api("erin", "DELETE", "/api/maintenance");
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

Deno.test("answers and arguments that are too large are refused with their limit", async () => {
  await using world = await newWorld();
  const start = async (input: object) =>
    (await world.api("alice", "POST", `/api/project/${world.web.id}/tasks`, {
      template_id: world.deploy.id,
      ...input,
    })).body;
  const tooMany = { a: "x".repeat(257 * 1024) };
  for (const field of ["environment", "secret"]) {
    for (const answers of [tooMany, JSON.stringify(tooMany)]) {
      assert.match((await start({ [field]: answers })).error, /answers are too large.* 262,144 /);
    }
    assert.match((await start({ [field]: "[]" })).error, /must be a JSON object/);
  }
  assert.match((await start({ arguments: Array(2_000).fill("-v") })).error, /The limit is 8,192/);
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
  assert.match(refused.body.error, /57,344 bytes in total/);
  assert.equal((await start(["web"])).body.version, "1.0.0");
});

/** Longer than a value of the store, with multi-byte letters at the ends of its chunks. */
const LONG_ANSWER = "é€😀x".repeat(9_000);

Deno.test("long answers are kept beside their task, answered with it, and gone with it", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const project = `/api/project/${web.id}`;
  const environment = JSON.stringify({ notes: LONG_ANSWER });
  const { status, body: task } = await world.api("alice", "POST", `${project}/tasks`, {
    template_id: web.templateId,
    environment,
    secret: JSON.stringify({ token: LONG_ANSWER }),
  });
  assert.equal(status, 201, JSON.stringify(task).slice(0, 300));
  assert.equal(task.environment, environment);
  const item = `${project}/tasks/${task.id}`;
  assert.equal((await world.api("carol", "GET", item)).body.environment, environment);
  assert.equal(
    (await world.api("carol", "GET", `${project}/tasks/last`)).body[0].environment,
    environment,
  );
  const { body: template } = await world.api(
    "carol",
    "GET",
    `${project}/templates/${web.templateId}`,
  );
  assert.equal(template.last_task.environment, "", "lists of templates stay small");

  const plan = await makePlan(world.deps, await getTaskRow(kv, web.id, task.id));
  assert.deepEqual(plan.answers, { notes: LONG_ANSWER });
  assert.deepEqual(revealed(plan.secretVars), { token: LONG_ANSWER });

  const rows = async (prefix: Deno.KvKey) => (await Array.fromAsync(kv.list({ prefix }))).length;
  assert.ok(await rows(["task_answers", web.id, task.id]) > 1);
  assert.ok(await rows(["task_secrets", task.id]) > 0);
  await world.api("alice", "POST", `${item}/stop`, {});
  assert.equal(await rows(["task_secrets"]), 0, "secret answers go when their task ends");
  assert.equal((await world.api("erin", "DELETE", item)).status, 204);
  assert.equal(await rows(["task_answers"]), 0);
});

Deno.test("a list of tasks with long answers ends early, and says that there are more", async () => {
  await using world = await newWorld();
  const tasks = `/api/project/${world.web.id}/tasks`;
  const environment = JSON.stringify({ notes: "x".repeat(250 * 1024) });
  for (let n = 0; n < 70; n++) {
    const body = { template_id: world.web.templateId, environment };
    assert.equal((await world.api("alice", "POST", tasks, body)).status, 201);
  }
  const first = await world.api("alice", "GET", tasks);
  assert.equal(first.headers.get("X-Has-Next"), "true");
  const rest = await world.api("alice", "GET", `${tasks}?before=${first.body.at(-1).id}`);
  assert.equal(rest.headers.get("X-Has-Next"), "false");
  assert.equal(first.body.length + rest.body.length, 70);
  assert.ok(first.body.length < 70);
});

Deno.test("a variable that no process can have is named, and the run ends", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { body } = await world.api("alice", "GET", `${project}/templates/${world.web.templateId}`);
  const made = await world.api("alice", "POST", `${project}/templates`, {
    ...body,
    survey_vars: [{ name: "NOTES", title: "Notes", target: "env" }],
  });
  const planOf = async (letters: number) => {
    const { body: task } = await world.api("alice", "POST", `${project}/tasks`, {
      template_id: made.body.id,
      environment: { NOTES: "x".repeat(letters) },
    });
    return await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, task.id));
  };
  assert.equal((await planOf(131_000)).env.NOTES.length, 131_000);
  await assert.rejects(planOf(132_000), {
    key: "errors.run.variable_too_long",
    params: { name: "NOTES", max: 131_071 },
  });
});

/** Lists of a schema without a limit, by their places. Arguments are limited as one text. */
function unlimitedLists(schema: z.core.JSONSchema.BaseSchema, place: string): string[] {
  const { anyOf = [], allOf = [], items, properties = {}, maxItems } = schema;
  const its = [...[anyOf, allOf].flat(), items].filter((one) => typeof one === "object");
  return [
    ...schema.type === "array" && maxItems === undefined ? [place] : [],
    ...its.flatMap((one) => unlimitedLists(one as z.core.JSONSchema.BaseSchema, place)),
    ...Object.entries(properties).flatMap(([name, one]) =>
      name === "arguments" || typeof one !== "object" ? [] : unlimitedLists(one, `${place}.${name}`)
    ),
  ];
}

Deno.test("each list of a body has a limit", () => {
  const found = allOperations.flatMap(({ id, body }) =>
    body ? unlimitedLists(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }), id) : []
  );
  assert.deepEqual(found, []);
});

Deno.test("an answer names no more than a hundred problems of a body", async () => {
  await using world = await newWorld();
  const ssh_key_hosts = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, "web"]));
  const form = { name: "Hosts", type: "static", inventory: "web", ssh_key_hosts };
  const path = `/api/project/${world.web.id}/inventory`;
  const { status, body } = await world.api("alice", "POST", path, form);
  assert.deepEqual([status, Object.keys(body.fields).length], [400, 100]);
});
