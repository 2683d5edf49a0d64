import assert from "node:assert/strict";
import type { Log } from "@/lib/base/log.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { plainPath } from "@/lib/web/server/access_log.ts";
import { newWorld, type WorldOptions } from "@/tests/support/world/world.ts";
import { walk } from "@/tests/support/basics/walk.ts";

const SECRET = "Zs3cretZ";

/** A world with the lines of its access log, without the times. */
async function newLoggedWorld(options: WorldOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const accessLog: Log = (_level, event, { ms, ...fields } = {}) => {
    assert.equal(event, "request");
    assert.ok(typeof ms === "number" && ms >= 0);
    lines.push(fields);
  };
  const world = await newWorld({ ...options, deps: { accessLog } });
  return { world, lines };
}

Deno.test("each request is a line with its path, status, size, sender and client", async () => {
  const { world, lines } = await newLoggedWorld();
  await using _ = world;
  const page = await world.get("bob", `/project/${world.web.id}/history?q=${SECRET}`);
  const bytes = new TextEncoder().encode(await page.text()).length;
  const [line] = lines;
  assert.deepEqual(line, {
    method: "GET",
    path: `/project/${world.web.id}/history`,
    status: 200,
    bytes,
    address: "192.0.2.1",
    account: "bob",
    token: undefined,
    request_id: page.headers.get("X-Request-Id"),
  });
  const refused = await world.request("/api/ping", { headers: { Host: "a b" } });
  await refused.body?.cancel();
  assert.equal(lines[1]!.status, 400);
  assert.equal(lines[1]!.request_id, refused.headers.get("X-Request-Id"));
  assert.equal(lines[1]!.account, undefined);
});

Deno.test("a line names the token of a call by its first letters", async () => {
  const { world, lines } = await newLoggedWorld();
  await using _ = world;
  const { body } = await world.api("bob", "POST", "/api/user/tokens", {});
  const headers = { Authorization: `Bearer ${body.id}` };
  await (await world.request("/api/user", { headers })).body?.cancel();
  assert.equal(lines.at(-1)!.account, "bob");
  assert.equal(lines.at(-1)!.token, body.id.slice(0, 8));
  assert.ok(!JSON.stringify(lines).includes(body.id));
});

Deno.test("the client's address follows the rule of the trusted proxy", async () => {
  const asked = { headers: { "X-Forwarded-For": "203.0.113.9, 198.51.100.7" } };
  for (const [trustProxy, address] of [[true, "198.51.100.7"], [false, "192.0.2.1"]] as const) {
    const { world, lines } = await newLoggedWorld({ config: { trustProxy } });
    await using _ = world;
    await (await world.request("/api/ping", asked)).body?.cancel();
    assert.equal(lines[0]!.address, address);
  }
});

Deno.test("a reader that leaves early ends the line of a stream", async () => {
  const { world, lines } = await newLoggedWorld();
  await using _ = world;
  const page = await world.get("bob", `/project/${world.web.id}/history`);
  await page.body!.cancel();
  assert.equal(lines.length, 1);
});

/** Parameters of paths whose values work for everyone who knows them. */
const SECRET_PARAMS = /[{[](token|alias)[}\]]/g;

Deno.test("no path of a line has a secret, whatever the route is", async () => {
  const paths = allOperations.map(({ path }) => `/api${path}`);
  for await (const file of walk(new URL("../../../routes", import.meta.url).pathname, /\.tsx?$/)) {
    paths.push(`/${file.replace(/\.tsx?$/, "")}`);
  }
  const secret = paths.filter((path) => path.search(SECRET_PARAMS) !== -1);
  assert.ok(secret.length >= 5, secret.join());
  for (const path of secret) {
    const asked = path.replaceAll(SECRET_PARAMS, SECRET);
    for (const base of ["", "/callboard", "//"]) {
      assert.ok(!plainPath(`http://localhost${base}${asked}?x=${SECRET}`).includes(SECRET), path);
    }
    const escaped = asked.replace(/\/[a-z]+\/(?=Z)/, (part) => part.replace(/[a-z]/, escapeOf));
    assert.ok(!plainPath(`http://localhost${escaped}`).includes(SECRET), escaped);
  }
});

const escapeOf = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
