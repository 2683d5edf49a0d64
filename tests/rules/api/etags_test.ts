import assert from "node:assert/strict";
import { itemPaths } from "@/lib/web/api/etags.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { type ApiAnswer, newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const items = itemPaths(allOperations);
const ofItems = (...methods: string[]) =>
  allOperations.filter(({ method, path }) => methods.includes(method) && items.has(path));

/** Calls the API as Erin, who may do everything. */
async function call(
  world: World,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<ApiAnswer> {
  const init = {
    method,
    headers: {
      Cookie: `callboard=${world.people.erin.token}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  return await readAnswer(await world.request(path, init));
}

const etagOf = async (world: World, path: string): Promise<string> =>
  (await call(world, "GET", path)).headers.get("etag")!;

Deno.test("each single thing has an ETag, and is not sent again to clients that have it", async () => {
  assert.ok(ofItems("GET").length >= 15);
  for (const operation of ofItems("GET")) {
    await using world = await newWorld();
    const { path } = await goodCall(operation, world, "erin");
    const first = await call(world, "GET", path);
    const etag = first.headers.get("etag")!;
    assert.match(etag, /^"[\w.-]{16,50}"$/, operation.id);
    assert.equal(await etagOf(world, path), etag, operation.id);
    for (const known of [etag, `W/${etag}`, `"other,", ${etag}`, "*"]) {
      const answer = await call(world, "GET", path, { "If-None-Match": known });
      assert.deepEqual([answer.status, answer.body], [304, null], `${operation.id}: ${known}`);
      assert.equal(answer.headers.get("etag"), etag);
    }
    const other = await call(world, "GET", path, { "If-None-Match": '"other"' });
    assert.deepEqual([other.status, other.body], [200, first.body], operation.id);
    assert.equal((await call(world, "HEAD", path)).headers.get("etag"), etag, operation.id);
  }
});

Deno.test("a change or deletion can require the version that was read", async () => {
  const operations = ofItems("PUT", "DELETE");
  assert.ok(operations.length >= 27);
  for (const operation of operations) {
    await using world = await newWorld();
    const { path, body } = await goodCall(operation, world, "erin");
    const { method, id } = operation;
    const send = (expected: string) => call(world, method, path, { "If-Match": expected }, body);
    const before = await call(world, "GET", path);
    const etag = before.headers.get("etag")!;
    for (const wrong of ['"other"', `W/${etag}`, etag.slice(1, -1), ""]) {
      const refused = await send(wrong);
      assert.equal(refused.status, 412, `${id}: ${wrong}`);
      assert.equal(refused.body.error, "Someone else has changed this in the meantime.", id);
    }
    assert.deepEqual((await call(world, "GET", path)).body, before.body, id);
    assert.equal((await send(`"other", ${etag}`)).status, 204, id);
    if (method === "DELETE") continue;
    const after = await etagOf(world, path);
    if (after !== etag) assert.equal((await send(etag)).status, 412, id);
    assert.equal((await send("*")).status, 204, id);
    assert.equal((await call(world, method, path, {}, body)).status, 204, "the last one wins");
  }
});

Deno.test("an object without an ETag cannot be changed with one", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/integrations/aliases`;
  const { body: { id } } = await call(world, "POST", path);
  const remove = (expected: string) =>
    call(world, "DELETE", `${path}/${id}`, { "If-Match": expected });
  assert.equal((await remove('"any"')).status, 412);
  assert.equal((await remove("*")).status, 204);
});

Deno.test("an ETag moves with each change, a secret's too, and comes back with what was there", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/keys`;
  const login = (password: string) => ({ login: "deploy", password });
  const key = (name: string, password: string) => ({
    name,
    type: "login_password",
    login_password: login(password),
    override_secret: true,
  });
  const { body: { id } } = await call(world, "POST", path, {}, key("Web", "first"));
  const own = `${path}/${id}`;
  const first = await etagOf(world, own);
  await call(world, "PUT", own, { "If-Match": first }, key("Web", "second"));
  const second = await etagOf(world, own);
  assert.notEqual(second, first, "another secret");
  await call(world, "PUT", own, {}, { name: "Shop", type: "login_password" });
  assert.notEqual(await etagOf(world, own), second, "another name");
  await call(world, "PUT", own, {}, { name: "Web", type: "login_password" });
  assert.equal(await etagOf(world, own), second);
  await call(world, "PUT", own, {}, key("Web", "second"));
  assert.notEqual(await etagOf(world, own), second, "nobody can try which password it is");
});

Deno.test("a run does not change its template, and a match does not change its integration", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const project = `/api/project/${web.id}`;
  const path = `${project}/templates/${deploy.id}`;
  const template = await call(world, "GET", path);
  const etag = template.headers.get("etag")!;
  await call(world, "POST", `${project}/tasks`, {}, { template_id: deploy.id });
  assert.equal((await call(world, "GET", path, { "If-None-Match": etag })).status, 200);
  const change = { ...template.body, name: "Renamed" };
  assert.equal((await call(world, "PUT", path, { "If-Match": etag }, change)).status, 204);
  assert.equal((await call(world, "PUT", path, { "If-Match": etag }, change)).status, 412);

  const form = { name: "Push", template_id: deploy.id };
  const { body: { id } } = await call(world, "POST", `${project}/integrations`, {}, form);
  const integration = `${project}/integrations/${id}`;
  const before = await etagOf(world, integration);
  const matcher = { name: "M", match_type: "header", key: "A", method: "equals", value: "b" };
  assert.equal((await call(world, "POST", `${integration}/matchers`, {}, matcher)).status, 200);
  assert.equal(await etagOf(world, integration), before);
});

Deno.test("one of two who change the same object in parallel sees a conflict", async () => {
  for (const operation of ofItems("PUT")) {
    await using world = await newWorld();
    const { path, body } = await goodCall(operation, world, "erin");
    const etag = await etagOf(world, path);
    const answers = await Promise.all(
      ["guest", "task_runner", "owner"].map((role, n) => {
        const names = { name: `Name ${n}`, title: `Title ${n}`, role };
        const changed = Object.fromEntries(
          Object.entries(body as object).map(([name, value]) => [
            name,
            name in names ? names[name as keyof typeof names] : value,
          ]),
        );
        const cron = operation.id === "updateSchedule" ? { cron_format: `${n} 4 * * *` } : {};
        return call(world, "PUT", path, { "If-Match": etag }, { ...changed, ...cron });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    const stored = statuses.filter((status) => status === 204);
    const same = operation.id === "changeMemberRole" ? 2 : 1; // one of the roles stays the same
    assert.ok(stored.length >= 1 && stored.length <= same, `${operation.id}: ${statuses}`);
    assert.equal(stored.length + statuses.filter((status) => status === 412).length, 3);
  }
});

Deno.test("the document says which calls take which conditions", async () => {
  await using world = await newWorld();
  const { paths } = (await call(world, "GET", "/api/openapi.json")).body;
  const headersOf = (path: string, method: string) =>
    (paths[path][method].parameters as { in: string; name: string }[])
      .filter((parameter) => parameter.in === "header").map(({ name }) => name);
  const key = "/project/{project_id}/keys/{key_id}";
  assert.deepEqual(headersOf(key, "get"), ["If-None-Match"]);
  assert.deepEqual(headersOf(key, "put"), ["If-Match"]);
  assert.deepEqual(headersOf(key, "delete"), ["If-Match"]);
  assert.deepEqual(Object.keys(paths[key].get.responses[200].headers), ["ETag"]);
  assert.ok(paths[key].get.responses[304] && paths[key].put.responses[412]);
  assert.deepEqual(headersOf("/project/{project_id}/keys", "get"), []);
});
