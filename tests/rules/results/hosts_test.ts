import assert from "node:assert/strict";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function ran(world: World, said: Record<string, HostResult["status"]>): Promise<number> {
  const run = await reportedTask(world);
  await run.report(play("Web"), task("a"));
  for (const [host, status] of Object.entries(said)) {
    await run.report(result("a", host, { status }));
  }
  await run.report({ type: "end", at: 0, lost: 0 });
  await run.end();
  await rememberDue(world.deps);
  return run.id;
}

const pathOf = ({ web }: World) => `/project/${web.id}/hosts`;

async function page(world: World, path: string, who: "carol" | "mike" | "dave" = "carol") {
  const answer = await world.get(who, path);
  return { status: answer.status, html: await answer.text() };
}

/** Returns the hosts that a list shows, in their order. */
const shown = (html: string) =>
  [...html.matchAll(/<a (?=[^>]*class="name-link)[^>]*title="([^"]*)"/g)].map(([, name]) => name);
const linkOf = (html: string, label: RegExp) =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"[^>]*>(?:<svg.*?<\/svg>)?([^<]*)/g)]
    .find(([, , text]) => label.test(text))?.[1].replaceAll("&amp;", "&");

Deno.test("a project without hosts says when they come, and one that has no such host that it has none", async () => {
  await using world = await newWorld();
  const empty = await page(world, pathOf(world));
  assert.match(empty.html, /Hosts appear when a task reaches them/);
  await ran(world, { web: "ok" });
  const none = await page(world, `${pathOf(world)}?q=db`);
  assert.match(none.html, /No host matches this name/);
  assert.equal(linkOf(none.html, /Show all/), pathOf(world));
  assert.equal((await page(world, pathOf(world), "dave")).status, 404);
  assert.equal((await page(world, `${pathOf(world)}/db`)).status, 404);
});

Deno.test("an open list of hosts learns of a new one, if its reader may still see it", async () => {
  await using world = await newWorld();
  const live = async () => {
    const { html } = await page(world, pathOf(world));
    const [, address] = /data-live="([^"]+)"/.exec(html)!;
    const { body } = await world.get("carol", address);
    return body!.pipeThrough(new TextDecoderStream()).getReader();
  };
  const first = await live();
  assert.equal((await first.read()).value, "retry: 2000\n\n");
  assert.equal((await first.read()).value, "id: \n\n");
  await ran(world, { web: "ok" });
  assert.match((await first.read()).value!, /^event: stale\nid: \w{20}\ndata: \n\n$/);
  await first.cancel();
  // A page that is opened afterwards gets nothing until the next change.
  const second = await live();
  for (let n = 0; n < 2; n++) await second.read(); // the time to reconnect, and the id
  const told = second.read();
  const nothing = new Promise((resolve) => setTimeout(resolve, 200, "nothing"));
  assert.equal(await Promise.race([told, nothing]), "nothing");
  await world.api("mike", "DELETE", `/api/project/${world.web.id}/hosts/web`);
  assert.match((await told).value!, /stale/);
  await second.cancel();
  assert.equal((await world.get("dave", `/project/${world.web.id}/host_events`)).status, 404);
});

Deno.test("the list of hosts is filtered, sorted and read a page at a time", async () => {
  await using world = await newWorld();
  const names = Array.from({ length: 45 }, (_, n) => `web${n + 1}`);
  await ran(world, Object.fromEntries(names.map((name) => [name, "changed"])));
  await ran(world, { web7: "failed", web30: "ok" });
  const first = await page(world, pathOf(world));
  assert.deepEqual(shown(first.html), names.slice(0, 20));
  assert.match(first.html, /1–20 of 45/);
  assert.match(first.html, /aria-label="1 change, in the last 2 runs, 1 of them failed"/);
  assert.match(first.html, /aria-current="page" data-section="hosts"/);
  const second = await page(world, linkOf(first.html, /^Next/)!);
  assert.deepEqual(shown(second.html), names.slice(20, 40));
  assert.match(second.html, /21–40 of 45/);
  const third = await page(world, linkOf(second.html, /^Next/)!);
  assert.deepEqual(shown(third.html), names.slice(40));
  assert.equal(linkOf(third.html, /^Next/), undefined);
  assert.equal(linkOf(third.html, /^First/), pathOf(world));

  const found = await page(world, `${pathOf(world)}?q=B3`);
  assert.deepEqual(shown(found.html), ["web3", ...names.slice(29, 39)]);
  assert.match(found.html, /1–11 of 11/);
  const worst = await page(world, `${pathOf(world)}?sort=status`);
  assert.deepEqual(shown(worst.html).slice(0, 2), ["web7", "web1"]);
  assert.match(worst.html, /aria-sort="ascending"/);
  const last = await page(world, `${pathOf(world)}?sort=run`);
  assert.deepEqual(shown(last.html).slice(0, 2).toSorted(), ["web30", "web7"]);
  const turned = await page(world, `${pathOf(world)}?order=turned`);
  assert.deepEqual(shown(turned.html)[0], "web45");
  const on = await page(world, linkOf(turned.html, /^Next/)!);
  assert.deepEqual(shown(on.html)[0], "web25");
  assert.match(on.html, /21–40 of 45/);
  // Parameters that no page uses are ignored.
  const odd = await page(world, `${pathOf(world)}?sort=size&rank=x&after=web1&sort=status`);
  assert.equal(odd.status, 200);
});

const ODD = ["a/b", "a%2Fb", "ü ?#&=", `"<b>'`, "%", "new", "delete", "..."];

Deno.test("each host has a page, whatever its name", async () => {
  await using world = await newWorld();
  await ran(world, Object.fromEntries(ODD.map((name) => [name, "ok"])));
  const { html } = await page(world, pathOf(world));
  for (const name of ODD) {
    const path = `${pathOf(world)}/${encodeURIComponent(name)}`;
    assert.ok(html.includes(`href="${path}"`), name);
    const its = await page(world, path);
    assert.equal(its.status, 200, name);
    const [, title] = /<h1>.*?>([^<]*)</.exec(its.html)!;
    const plain = title.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    assert.equal(plain, name);
    const runs = await world.api(
      "carol",
      "GET",
      `/api/project/${world.web.id}/hosts/${encodeURIComponent(name)}/runs`,
    );
    assert.deepEqual([runs.status, runs.body.length], [200, 1], name);
  }
});

Deno.test("a host's page has its runs, latest first, with links to the results of each", async () => {
  await using world = await newWorld();
  const ids: number[] = [];
  for (let n = 0; n < 22; n++) ids.push(await ran(world, { db: "ok", web: "changed" }));
  const first = await page(world, `${pathOf(world)}/web`);
  const of = (html: string) =>
    [...html.matchAll(/<tr id="run-(\d+)"/g)].map(([, id]) => Number(id));
  assert.deepEqual(of(first.html), ids.toReversed().slice(0, 20));
  const results = `/project/${world.web.id}/tasks/${ids[21]}/hosts?host=2`;
  assert.equal(linkOf(first.html, /^Results/), results);
  assert.equal((await page(world, results)).status, 200);
  const older = await page(world, linkOf(first.html, /^Older/)!);
  assert.deepEqual(of(older.html), [ids[1], ids[0]]);
  assert.equal(linkOf(older.html, /^Latest/), `${pathOf(world)}/web`);
  const over = await page(world, `${pathOf(world)}/web?t=${ids[21]}`);
  assert.match(over.html, new RegExp(`<title>#${ids[21]} Deploy shop`));
});

Deno.test("a failed host says which Ansible task failed and why, with a link to the line", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Web"), task("a"), task("b"));
  await run.report(
    result("a", "web", { status: "ignored", message: "never mind" }),
    result("a", "db", { status: "unreachable", message: "No route to host" }),
    result("b", "web", { status: "failed", message: "expired", lines: { from: 7, to: 8 } }),
    result("b", "app", { status: "failed", hidden: true }),
  );
  await run.end("error");
  await rememberDue(world.deps);
  const task1 = `/project/${world.web.id}/tasks/${run.id}`;
  const { html } = await page(world, `${task1}/hosts`);
  const line = `${task1}?line=7`;
  assert.match(html, new RegExp(`href="${line.replace("?", "\\?")}"[^>]*>Task b: expired</a>`));
  assert.match(html, />Task a: No route to host</);
  assert.match(html, />Task b: Details are hidden because no_log is set\.</);
  assert.doesNotMatch(html, /never mind|<td[^>]*>0</);
  const host = await page(world, `${pathOf(world)}/web`);
  assert.match(
    host.html,
    new RegExp(`href="${pathOf(world)}/web\\?t=${run.id}&amp;line=7"[^>]*>Task b: expired</a>`),
  );
  const [first] = (await world.api("carol", "GET", `/api${pathOf(world)}/db/runs`)).body;
  assert.deepEqual([first.reason.step, first.reason.message], ["Task a", "No route to host"]);
});

Deno.test("a manager forgets a host, is asked before, and activity says who did", async () => {
  await using world = await newWorld();
  await ran(world, { web: "ok", db: "ok" });
  const path = `${pathOf(world)}/web/delete`;
  assert.equal((await page(world, path)).status, 403);
  assert.doesNotMatch((await page(world, pathOf(world))).html, /hosts\/web\/delete/);
  assert.match((await page(world, pathOf(world), "mike")).html, /hosts\/web\/delete/);
  assert.match((await page(world, path, "mike")).html, /forget the host (&quot;|")web/);
  assert.equal((await world.post("carol", path, {})).status, 403);
  const answer = await world.post("mike", path, {});
  assert.deepEqual([answer.status, answer.headers.get("Location")], [303, pathOf(world)]);
  assert.deepEqual(shown((await page(world, pathOf(world))).html), ["db"]);
  assert.equal((await world.post("mike", path, {})).status, 404);
  const activity = await page(world, `/project/${world.web.id}/activity?kind=host`);
  assert.match(activity.html, /Host (&quot;|")web(&quot;|") was forgotten/);
  await ran(world, { web: "failed" });
  assert.deepEqual(shown((await page(world, pathOf(world))).html), ["db", "web"]);
});

Deno.test("clients are answered hosts and their runs a page at a time", async () => {
  await using world = await newWorld();
  const id = await ran(world, { web1: "changed", web2: "failed", db: "ok" });
  const get = (path: string) =>
    world.api("carol", "GET", `/api/project/${world.web.id}/hosts${path}`);
  const first = await get("?limit=2");
  assert.deepEqual(first.body.map(({ name }: { name: string }) => name), ["db", "web1"]);
  assert.equal(first.headers.get("X-Has-Next"), "true");
  const [web2, ...others] = (await get("?limit=2&after_host=web1")).body;
  assert.equal(others.length, 0);
  assert.deepEqual(
    [web2.name, web2.status, web2.last_task_id, web2.last_success_task_id, web2.last_success],
    ["web2", "failed", id, null, null],
  );
  assert.deepEqual(web2.runs, [{ task_id: id, status: "failed", changed: 0 }]);
  assert.deepEqual((await get("?q=EB&after_host=web1a")).body.length, 1);
  const long = await get(`?limit=2&after_host=${"%E2%82%AC".repeat(1_000)}`);
  assert.deepEqual(long.body, first.body);
  const [run] = (await get("/web1/runs")).body;
  assert.deepEqual([run.task_id, run.ok, run.changed, run.duration_ms], [id, 1, 1, 100]);
  assert.deepEqual((await get(`/web1/runs?before=${id}`)).body, []);
  assert.equal((await get("/nobody/runs")).status, 404);
});
