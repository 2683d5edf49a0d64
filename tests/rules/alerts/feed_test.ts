import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { transact } from "@/lib/store/transact.ts";
import { runTask, send } from "@/tests/support/services/alerting.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const feedOf = (world: World) => `/api/project/${world.web.id}/alert_feed`;

async function newFeed(world: World): Promise<string> {
  const { status, body } = await world.api("mike", "POST", feedOf(world));
  assert.equal(status, 201, JSON.stringify(body));
  return body.token;
}

const read = (world: World, token: string, headers: Record<string, string> = {}) =>
  world.get(null, `/api/feeds/${token}`, headers);

const titles = (xml: string) =>
  [...xml.matchAll(/<entry>\n<title>(.*)<\/title>/g)].map(([, title]) => title);

Deno.test("a feed has the alerts of its project, the latest first, for readers with its token", async () => {
  const url = new URL("https://callboard.example.com");
  await using world = await newWorld({ config: { url } });
  await runTask(world, "error");
  const token = await newFeed(world);
  await send(world);
  const end_reason = { key: "errors.run.galaxy_failed" };
  const failed = await runTask(world, "error", { template_name: 'A <b> & "c"\u0007', end_reason });
  world.clock.advance(1000);
  await send(world);
  for (const status of ["success", "success"] as const) {
    await runTask(world, status);
    world.clock.advance(1000);
    await send(world);
  }
  const answer = await read(world, token);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/atom+xml; charset=utf-8");
  const xml = await answer.text();
  assert.deepEqual(titles(xml).slice(0, 2), [
    "Deploy shop works again",
    String.raw`A &lt;b&gt; &amp; &quot;c&quot;\x07 failed`,
  ]);
  assert.match(
    xml,
    /<feed xmlns="http:\/\/www.w3.org\/2005\/Atom" xml:lang="en">\n<title>Web shop</,
  );
  const path = `https://callboard.example.com/project/${world.web.id}/templates/${world.deploy.id}`;
  assert.ok(xml.includes(`<link rel="alternate" href="${path}?t=${failed.id}"/>`));
  assert.match(xml, /<category term="recovered"\/>/);
});

Deno.test("a reader that has the feed gets 304 until something is new", async () => {
  await using world = await newWorld();
  const token = await newFeed(world);
  const first = await read(world, token);
  const known = { "If-None-Match": `"other", W/${first.headers.get("etag")}` };
  const again = await read(world, token, known);
  assert.deepEqual([again.status, await again.text()], [304, ""]);
  await runTask(world, "error");
  await send(world);
  assert.equal((await read(world, token, known)).status, 200);
});

Deno.test("only the latest token opens a feed, and none after its deletion", async () => {
  await using world = await newWorld();
  const old = await newFeed(world);
  await runTask(world, "error");
  await send(world);
  const token = await newFeed(world);
  assert.equal((await read(world, old)).status, 404);
  assert.equal(titles(await (await read(world, token)).text()).length, 1, "entries stay");
  for (const wrong of ["x", `${token}0`, token.replace(/^./, "~"), `${token.split(".")[0]}.9`]) {
    assert.equal((await read(world, wrong)).status, 404, wrong);
  }
  const rows = await Array.fromAsync(world.kv.list({ prefix: [] }));
  assert.ok(
    !Deno.inspect(rows, { depth: 9, strAbbreviateSize: 1e6 }).includes(token.split(".")[0]),
    "only its hash is stored",
  );
  assert.equal((await world.api("mike", "DELETE", feedOf(world))).status, 204);
  assert.equal((await world.api("mike", "DELETE", feedOf(world))).status, 404);
  assert.equal((await read(world, token)).status, 404);
  const prefix = rowKeys.alertFeedEntries(world.web.id);
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix })), []);
});

Deno.test("a feed has at most 100 entries, and a project without one keeps none", async () => {
  await using world = await newWorld();
  const prefix = rowKeys.alertFeedEntries(world.web.id);
  const task = await runTask(world, "error");
  await send(world);
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix })), []);
  await newFeed(world);
  for (let n = 0; n < 103; n++) {
    await transact(world.kv, (op) => queueTaskAlert(op, world.deps, task));
    world.clock.advance(1000);
    await send(world);
  }
  assert.equal((await Array.fromAsync(world.kv.list({ prefix }))).length, 100);
});

Deno.test("the page shows the address once, without a script", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/alerts`;
  const made = await (await world.post("mike", `${path}/feed`, { action: "create" })).text();
  const token = /\/api\/feeds\/([\w.-]+)</.exec(made)![1];
  assert.equal((await read(world, token)).status, 200);
  assert.ok(!(await (await world.get("mike", path)).text()).includes(token));
  const gone = await world.post("mike", `${path}/feed`, { action: "delete" });
  assert.deepEqual([gone.status, (await read(world, token)).status], [303, 404]);
  assert.equal((await world.post("bob", `${path}/feed`, { action: "create" })).status, 403);
});
