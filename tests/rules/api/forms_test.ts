import assert from "node:assert/strict";
import { BODY_BYTES_MAX } from "@/lib/http/body.ts";
import { withPlainPath } from "@/lib/web/server/front_door.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const keysOf = ({ web }: World) => `/api/project/${web.id}/keys`;

/** Sends a raw request as Alice. */
const byAlice = async (world: World, path: string, init: RequestInit = {}) =>
  await readAnswer(
    await world.request(path, {
      ...init,
      headers: {
        Cookie: `callboard=${world.people.alice.token}`,
        ...Object.fromEntries(new Headers(init.headers)),
      },
    }),
  );

/** Requires `{"error": "<sentence>"}` and headers that forbid caching. */
function assertError({ status, body, headers }: Awaited<ReturnType<typeof byAlice>>, code: number) {
  assert.equal(status, code, JSON.stringify(body));
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(typeof body.error, "string");
  assert.match(body.error, /^([\w.]+: )?[A-Z“"].*[.?!]$/s);
  assert.equal(headers.get("cache-control"), "private, no-store");
}

Deno.test("unknown paths of the API are 404 in JSON, for everyone and every method", async () => {
  await using world = await newWorld();
  for (const person of ["alice", null] as const) {
    for (const path of ["/api", "/api/nothing", "/api/project/1/nothing", "/api/docs/nothing"]) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        assertError(await world.api(person, method, path), 404);
      }
    }
  }
});

Deno.test("a method that an address does not know is 405, and Allow names those it knows", async () => {
  await using world = await newWorld();
  const byPath = Map.groupBy(allOperations, ({ path }) => path);
  for (const [path, operations] of byPath) {
    const known = operations.map(({ method }) => method as string);
    const good = await goodCall(operations[0], world, "erin");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (known.includes(method)) continue;
      const refused = await world.api("erin", method, good.path);
      assertError(refused, 405);
      const allowed = refused.headers.get("allow")!.split(", ");
      for (const one of known) assert.ok(allowed.includes(one), `${path}: ${allowed}`);
      assert.ok(!allowed.includes(method), `${path}: ${allowed}`);
    }
  }
});

Deno.test("OPTIONS lists the methods of an address", async () => {
  await using world = await newWorld();
  const { status, headers } = await world.api(null, "OPTIONS", keysOf(world));
  assert.equal(status, 204);
  assert.equal(headers.get("allow"), "GET, HEAD, OPTIONS, POST");
});

Deno.test("HEAD answers as GET does, without a body; but it starts nothing", async () => {
  await using world = await newWorld();
  for (const operation of allOperations) {
    if (operation.method !== "GET") continue;
    const { path } = await goodCall(operation, world, "erin");
    const { status, body } = await world.api("erin", "HEAD", path);
    assert.equal(status, operation.isUnsafe ? 405 : 200, operation.id);
    assert.equal(body, null);
  }
});

Deno.test("answers to signed-in people stay out of every cache", async () => {
  await using readOnly = await newWorld();
  for (const operation of allOperations) {
    await using changed = operation.method === "GET" ? null : await newWorld();
    const world = changed ?? readOnly;
    const { path, body } = await goodCall(operation, world, "erin");
    const { headers } = await world.api("erin", operation.method, path, body);
    assert.match(headers.get("cache-control") ?? "", /\bno-store\b/, operation.id);
  }
});

Deno.test("paths may end with a slash", () => {
  const cropped = (path: string) => withPlainPath(new Request(`http://callboard.test${path}`)).url;
  assert.equal(cropped("/api/user/"), "http://callboard.test/api/user");
  assert.equal(
    cropped("/api/project/1/keys/?sort=name"),
    "http://callboard.test/api/project/1/keys?sort=name",
  );
  assert.equal(cropped("/api/"), "http://callboard.test/api");
  assert.equal(cropped("/sub/api/user//"), "http://callboard.test/sub/api/user");
  assert.equal(cropped("/project/1/keys/"), "http://callboard.test/project/1/keys");
  assert.equal(cropped("/"), "http://callboard.test/");
});

Deno.test("a slash at the end keeps method and body of a request", async () => {
  const sent = new Request("http://callboard.test/api/projects/", { method: "POST", body: "{}" });
  const cropped = withPlainPath(sent);
  assert.equal(cropped.method, "POST");
  assert.equal(await cropped.text(), "{}");
});

Deno.test("ids in paths that are not integers are 400, and unknown ones 404", async () => {
  await using world = await newWorld();
  for (
    const id of ["x", "-1", "1.5", "0x1", "%00", "99999999999999999999", "1e3", "%F0%9F%92%A9"]
  ) {
    assertError(await byAlice(world, `/api/project/${id}`), 400);
    assertError(await byAlice(world, `${keysOf(world)}/${id}`), 400);
  }
  for (const id of ["0", "4711", String(Number.MAX_SAFE_INTEGER)]) {
    assertError(await byAlice(world, `/api/project/${id}`), 404);
    assertError(await byAlice(world, `${keysOf(world)}/${id}`), 404);
  }
});

Deno.test("bodies that are missing, too large or not JSON are refused with that reason", async () => {
  await using world = await newWorld();
  const post = (body: BodyInit) => byAlice(world, keysOf(world), { method: "POST", body });
  assertError(await post("{"), 400);
  assertError(await post(""), 400);
  assertError(await post(new Uint8Array([0xff, 0xfe, 0x00])), 400);
  assertError(await post("[]"), 400);
  assertError(await post("null"), 400);
  assertError(await post(`{"name": "${"x".repeat(5 * 1024 * 1024)}"}`), 413);
  assert.equal((await post('{"name": "Second", "type": "none", "new": [1]}')).status, 201);
});

Deno.test("no operation reads on past its limit", async () => {
  await using world = await newWorld();
  for (const operation of allOperations) {
    if (!operation.body) continue;
    const { path } = await goodCall(operation, world, "erin");
    let read = 0;
    const endless = new ReadableStream({
      pull(controller) {
        read += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      },
    });
    const cookie = `callboard=${world.people.erin.token}`;
    const headers = { Cookie: cookie, "X-Callboard-Runner": "1" };
    const { method } = operation;
    const refused = await world.request(path, { method, headers, body: endless });
    // Runners are refused by their token before anything is read.
    const isCallerFirst = operation.access === "public" && [401, 403].includes(refused.status);
    assert.ok(refused.status === 413 || isCallerFirst, `${operation.id}: ${refused.status}`);
    if (isCallerFirst) assert.ok(read <= 1024 * 1024, operation.id);
    const bytesMax = operation.bodyBytesMax ?? BODY_BYTES_MAX;
    assert.ok(read < bytesMax + 4 * 1024 * 1024, operation.id);
  }
});

Deno.test("wrong fields are reported one by one", async () => {
  await using world = await newWorld();
  const answer = await world.api("alice", "POST", keysOf(world), { name: "", type: "gpg" });
  assertError(answer, 400);
  assert.deepEqual(Object.keys(answer.body.fields).toSorted(), ["name", "type"]);
});

Deno.test("ids may be repeated in bodies or left out; other ones are 400", async () => {
  await using world = await newWorld();
  const key = { name: "Second", type: "none" };
  const post = (more: object) => world.api("alice", "POST", keysOf(world), { ...key, ...more });
  for (const more of [{}, { project_id: world.web.id }, { project_id: 0 }, { project_id: null }]) {
    assert.equal((await post(more)).status, 201, JSON.stringify(more));
  }
  const other = await post({ project_id: world.lab.id });
  assertError(other, 400);
  assert.deepEqual(Object.keys(other.body.fields), ["project_id"]);

  const path = `${keysOf(world)}/${world.web.keyId}`;
  const put = (more: object) => world.api("alice", "PUT", path, { ...key, ...more });
  assert.equal((await put({ id: world.web.keyId, project_id: world.web.id })).status, 204);
  assertError(await put({ id: world.web.keyId + 1 }), 400);
});

Deno.test("a delete that something is in the way of is 409, with what it is", async () => {
  await using world = await newWorld();
  const answer = await world.api("alice", "DELETE", `${keysOf(world)}/${world.web.keyId}`);
  assertError(answer, 409);
  assert.equal(answer.body.inUse, true);
  assert.deepEqual(answer.body.repositories.map(({ name }: { name: string }) => name), [
    "Playbooks",
  ]);
  for (const kind of ["templates", "inventories", "schedules", "integrations"]) {
    assert.ok(Array.isArray(answer.body[kind]), kind);
  }
});

Deno.test("a page of another site gets nothing done with a visitor's session", async () => {
  await using world = await newWorld();
  const body = JSON.stringify({ name: "Forged", type: "none" });
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
    const headers = { Origin: "http://evil.test", "Content-Type": type };
    assertError(await byAlice(world, keysOf(world), { method: "POST", body, headers }), 403);
  }
});

Deno.test("too many wrong passwords are 429, with the seconds to wait", async () => {
  await using world = await newWorld();
  const signIn = () =>
    world.api(null, "POST", "/api/auth/login", { auth: "alice", password: "wrong" });
  let answer = await signIn();
  assertError(answer, 401);
  for (let tries = 0; answer.status === 401 && tries < 50; tries++) answer = await signIn();
  assertError(answer, 429);
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
});

Deno.test("ping is plain text, for everyone", async () => {
  await using world = await newWorld();
  const { status, body, headers } = await world.api(null, "GET", "/api/ping");
  assert.equal(status, 200);
  assert.equal(body, "pong");
  assert.match(headers.get("content-type")!, /^text\/plain; ?charset=utf-8$/i);
});
