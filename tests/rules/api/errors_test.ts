import assert from "node:assert/strict";
import { requestInHand, stderrLog } from "@/lib/base/log.ts";
import { type Catalog, catalogs } from "@/lib/i18n/catalogs.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const request = (world: World, path: string, headers: Record<string, string> = {}) =>
  world.request(path, { headers });

Deno.test("calls without a valid token are asked for one, pages are not", async () => {
  await using world = await newWorld();
  const plain = await request(world, "/api/projects");
  assert.equal(plain.status, 401);
  assert.equal(plain.headers.get("WWW-Authenticate"), 'Bearer realm="Callboard"');
  const wrong = await request(world, "/api/projects", { Authorization: "Bearer wrong" });
  assert.equal(
    wrong.headers.get("WWW-Authenticate"),
    'Bearer realm="Callboard", error="invalid_token"',
  );
  const page = await request(world, "/users");
  assert.equal(page.status, 303);
  assert.equal(page.headers.get("WWW-Authenticate"), null);
  await Promise.all([plain, wrong, page].map((response) => response.body?.cancel()));
});

Deno.test("each answer and error names its request, as safe proxies do", async () => {
  await using world = await newWorld();
  for (const path of ["/api/ping", "/auth/login", "/api/nosuch", "/nosuch", "/api/docs"]) {
    const response = await request(world, path);
    assert.match(response.headers.get("X-Request-Id") ?? "", /^[0-9a-f-]{36}$/, path);
    await response.body?.cancel();
  }
  const own = "proxy-1.2_3";
  const refused = await request(world, "/api/projects", { "X-Request-Id": own });
  assert.equal(refused.headers.get("X-Request-Id"), own);
  assert.equal((await refused.json()).request_id, own);
  for (const unsafe of ["", "a b", "x".repeat(65), '<script>"', "a,b", "é".repeat(2)]) {
    const response = await request(world, "/api/ping", { "X-Request-Id": unsafe });
    assert.match(response.headers.get("X-Request-Id") ?? "", /^[0-9a-f-]{36}$/, unsafe);
    await response.body?.cancel();
  }
  const malformed = await world.request("/api/ping", { headers: { Host: "a b" } });
  assert.equal(malformed.status, 400);
  assert.equal((await malformed.json()).request_id, malformed.headers.get("X-Request-Id"));
});

Deno.test("the log names the request of a failure that no one expected", async () => {
  await using world = await newWorld();
  world.deps.kv.list = () => {
    throw new Error("The disk is gone");
  };
  const { status, headers, body } = await world.api("erin", "GET", "/api/users");
  assert.equal(status, 500);
  assert.equal(body.code, "internal");
  assert.equal(body.request_id, headers.get("X-Request-Id"));
  const [line] = world.log.filter(({ event }) => event === "request_failed");
  assert.equal(line.fields.request_id, body.request_id);
});

Deno.test("each line of the log names the request that it belongs to", async () => {
  await using world = await newWorld({ deps: { log: stderrLog } });
  const { writeSync } = Deno.stderr;
  const lines: Record<string, unknown>[] = [];
  Deno.stderr.writeSync = (bytes) => {
    lines.push(JSON.parse(new TextDecoder().decode(bytes)));
    return bytes.length;
  };
  try {
    await Promise.all(["first", "second"].map(async (id) => {
      const headers = { "X-Request-Id": id, "Content-Type": "application/json" };
      const body = JSON.stringify({ auth: `${id}@example.com`, password: "wrong" });
      const response = await world.request("/api/auth/login", { method: "POST", headers, body });
      assert.equal(response.status, 401);
      await response.body?.cancel();
    }));
    requestInHand.exit(() => stderrLog("info", "of_no_request"));
  } finally {
    Deno.stderr.writeSync = writeSync;
  }
  const named = lines.map(({ event, request_id }) => [event, request_id]).toSorted();
  assert.deepEqual(named, [
    ["of_no_request", undefined],
    ["sign_in_failed", "first"],
    ["sign_in_failed", "second"],
  ]);
});

Deno.test("errors have a code that does not change", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/keys`;
  const codes: [string, string | null, string, string, unknown?][] = [
    ["unauthorized", null, "GET", path],
    ["not_found", "dave", "GET", path],
    ["forbidden", "carol", "POST", path, { name: "A", type: "none" }],
    ["invalid_field", "alice", "POST", path, { name: "", type: "none" }],
    ["unknown_parameter", "alice", "GET", `${path}?nosuch=1`],
    ["in_use", "alice", "DELETE", `${path}/${world.web.keyId}`],
    ["method", "alice", "PATCH", path],
  ];
  for (const [code, person, method, url, body] of codes) {
    const answered = await world.api(person as "alice", method as "GET", url, body);
    assert.equal(answered.body.code, code, answered.body.error);
    assert.equal(typeof answered.body.error, "string");
  }
});

Deno.test("no code of an error has gone", async () => {
  const file = await Deno.readTextFile(new URL("error_codes.txt", import.meta.url));
  const { errors } = catalogs.get("en")!.read();
  const isKnown = (code: string): boolean => {
    const parent = code.split(".").slice(0, -1).reduce<Catalog>(
      (part, name) => part[name] as Catalog ?? {},
      errors as Catalog,
    );
    const name = code.split(".").at(-1)!;
    return name in parent || `${name}_other` in parent;
  };
  const gone = file.trim().split("\n").filter((code) => !isKnown(code));
  assert.deepEqual(gone, [], "clients compare these codes: keep their keys in locales/en.json");
});

Deno.test("a body that is not UTF-8 is refused, and not stored with other characters", async () => {
  await using world = await newWorld();
  const send = (name: number[]) => {
    const [open, close] = ['{"type":"none","name":"', '"}'].map((text) =>
      new TextEncoder().encode(text)
    );
    return world.request(`/api/project/${world.web.id}/keys`, {
      method: "POST",
      headers: {
        Cookie: `callboard=${world.people.alice.token}`,
        "Content-Type": "application/json",
      },
      body: new Uint8Array([...open, ...name, ...close]),
    });
  };
  for (const wrong of [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0xe9]]) {
    const response = await send(wrong);
    assert.deepEqual([response.status, (await response.json()).code], [400, "invalid_json"]);
  }
  const right = await send([0xc3, 0xa9]);
  assert.deepEqual([right.status, (await right.json()).name], [201, "é"]);
});
