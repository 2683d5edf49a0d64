import assert from "node:assert/strict";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function look(world: World, path: string): Promise<string> {
  const answer = await world.get("carol", path);
  assert.equal(answer.status, 200, path);
  return await answer.text();
}
const rows = (html: string, kind: string) =>
  [...html.matchAll(new RegExp(`<tr id="${kind}-(\\d+)"`, "g"))].map(([, id]) => Number(id));
const changes = (html: string) =>
  [...html.matchAll(/<article id="change-([\d.]+)"/g)].map(([, id]) => id);
const text = (html: string) =>
  html.replace(/<[^>]+>/g, "").replaceAll("&lt;", "<").replaceAll("&quot;", '"');

const diffOf = (file: string, line: string) =>
  `--- ${file}\n+++ ${file}\n@@ -0,0 +1 @@\n+${line}\n`;
const at = (seconds: number, ms: number) => ({
  began: EPOCH + seconds * 1000,
  ended: EPOCH + seconds * 1000 + ms,
});

Deno.test("the timeline has plays and tasks as they ran, the slowest first, or plays alone", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(
    play("Web"),
    task("a", EPOCH, 3),
    result("a", "web1", at(0, 200)),
    result("a", "web2", at(0, 900)),
    task("b", EPOCH + 1_000, 7),
    result("b", "web1", { ...at(1, 6_000), status: "failed" }),
    play("<Db>", false, EPOCH + 8_000),
    task("c", EPOCH + 8_000, 12),
    result("c", "db", at(8, 2_000)),
    { type: "end", at: EPOCH + 10_000, lost: 0 },
  );
  await run.end();
  const page = `${run.path.replace("/api", "")}/timeline`;
  const html = await look(world, page);
  assert.deepEqual(rows(html, "timeline-play"), [1, 2]);
  assert.deepEqual(rows(html, "timeline-task"), [1, 2, 3]);
  const second = /<tr id="timeline-task-2"[^]*?<\/tr>/.exec(html)![0];
  assert.match(second, /x="10.00%"[^>]* width="60.00%"/, "a bar on the run's axis");
  assert.match(second, /class="result-failed/);
  assert.match(text(second), /Task b.*Started after 1s.*failed.*6s 60%.*web1.*Line 7/);
  assert.match(text(/<tr id="timeline-task-1"[^]*?<\/tr>/.exec(html)![0]), /web2Line 3/);
  assert.match(html, /Play: &lt;Db/);
  assert.doesNotMatch(html, /data-live/);

  assert.deepEqual(rows(await look(world, `${page}?order=slowest`), "timeline-task"), [2, 3, 1]);
  const plays = await look(world, `${page}?order=plays`);
  assert.deepEqual(rows(plays, "timeline-task"), []);
  assert.match(plays, /href="[^"]*timeline\?skip=3"/, "a play leads to its place in the run");
  const from = await look(world, `${page}?skip=4`);
  assert.deepEqual([rows(from, "timeline-play"), rows(from, "timeline-task")], [[2], [3]]);

  const one = await look(world, `${page}?task=1`);
  assert.match(text(one), /web1.*web2.*0.9s/);
  assert.match(one, /hosts\?host=2&amp;result=100002#result/);
  assert.equal((await world.get("dave", page)).status, 404);
});

Deno.test("a run of a thousand tasks is shown in pages", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Long"));
  for (let n = 0; n < 1_000; n++) {
    await run.report(task(`t${n}`, EPOCH + n), result(`t${n}`, "web"));
  }
  await run.end();
  const page = `${run.path.replace("/api", "")}/timeline`;
  for (const [query, first, count] of [["", 1, 99], ["?skip=300", 300, 100]] as const) {
    const shown = rows(await look(world, page + query), "timeline-task");
    assert.deepEqual([shown[0], shown.length], [first, count]);
  }
  assert.equal(rows(await look(world, `${page}?skip=99999`), "timeline-task").length, 1);
});

Deno.test("the bar of a task that still runs ends now", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const now = world.clock.now().getTime();
  await run.report(play("Now", false, now - 10_000), task("a", now - 10_000));
  await run.flush();
  const html = await look(world, `${run.path.replace("/api", "")}/timeline`);
  assert.match(html, /data-live/);
  assert.match(html, /timeline-running[^>]*x="0.00%"[^>]* width="100.00%"/);
});

Deno.test("equal changes are shown once, differences first, and by host", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const changed = (diff: string | null) => ({ status: "changed", diff }) as const;
  await run.report(play("Web"), task("restart", EPOCH, 2), task("motd", EPOCH, 5));
  for (let n = 1; n <= 40; n++) {
    await run.report(
      result("restart", `web${n}`, changed(null)),
      result("motd", `web${n}`, changed(diffOf("/etc/motd", "hello <b>"))),
    );
  }
  await run.report(
    task("conf"),
    result("conf", "web1", changed(diffOf("/etc/app", "a=1"))),
    result("conf", "web2", {
      ...changed(diffOf("/etc/app", "a=2")),
      status: "failed",
      changed: true,
    }),
    result("conf", "web3"),
  );
  await run.end();
  const page = `${run.path.replace("/api", "")}/changes`;
  const html = await look(world, page);
  assert.deepEqual(changes(html), ["2.1", "3.2", "3.3"]);
  assert.match(text(html), /\/etc\/motd.*The same change on 40 hosts.*\+hello <b>.*\/etc\/app/s);
  assert.match(html, /class="diff-added"[^>]*>\+hello &lt;b/);
  const last = html.slice(html.indexOf('id="changes-unknown"'));
  assert.match(text(last), /Task restart.*Line 2.*The same change on 40 hosts/s);
  assert.match(html, /\(82 changes\)|81 changes/);

  const hosts = await look(world, `${page}?by=host`);
  assert.deepEqual(rows(hosts, "changed-host").slice(0, 3), [1, 2, 3]);
  assert.equal(rows(hosts, "changed-host").length, 40);
  const second = await look(world, `${page}?by=host&host=2`);
  assert.deepEqual(changes(second), ["200002", "300002"]);
  assert.match(text(second), /\+a=2/);
  assert.doesNotMatch(text(second), /\+a=1/);
  assert.match(text(second.slice(second.indexOf('id="changes-unknown"'))), /Task restart/);
});

Deno.test("a page of long changes is short: each is cut at a line, and leads to all of it", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Long"));
  const lines = (n: number) =>
    Array.from({ length: 900 }, (_, i) => `+${n}.${i} ${"x".repeat(20)}`);
  for (let n = 1; n <= 20; n++) {
    const diff = `--- /etc/${n}\n+++ /etc/${n}\n@@ -0,0 +1,900 @@\n${lines(n).join("\n")}\n`;
    await run.report(task(`t${n}`), result(`t${n}`, "web", { status: "changed", diff }));
  }
  await run.end();
  const page = `${run.path.replace("/api", "")}/changes`;
  for (const query of ["", "?by=host&host=1"]) {
    const html = await look(world, page + query);
    assert.equal(changes(html).length, 20);
    assert.ok(html.length < 300_000, `${html.length}`);
    assert.match(text(html), /\+2\.190 x+\n/);
    assert.doesNotMatch(html, /2\.899|data-copy-of/);
    const [, href] = /href="([^"]*[?;]change=(?:2\.2|200001))"/.exec(html)!;
    const whole = await look(world, href.replaceAll("&amp;", "&"));
    assert.equal(changes(whole).length, 1);
    assert.match(text(whole), /\+2\.0 x+\n[^]*\+2\.899 x+\n/);
    assert.match(whole, /data-copy-of="change-[\d.]+-diff"/);
    assert.doesNotMatch(whole, /change-whole/);
  }
  // An unknown change in the address is ignored.
  assert.equal(changes(await look(world, `${page}?change=9.8`)).length, 20);
  assert.equal(changes(await look(world, `${page}?by=host&host=1&change=9900001`)).length, 20);
});

Deno.test("pages of changes continue where the one before ended, also over lost changes", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Many"));
  for (let n = 1; n <= 250; n++) {
    const diff = n % 10 === 0 ? diffOf(`/etc/${n}`, "x") : null;
    await run.report(task(`t${n}`), result(`t${n}`, "web", { status: "changed", diff }));
  }
  await run.end();
  const page = `${run.path.replace("/api", "")}/changes`;
  const seen: string[] = [];
  let next: string | undefined = page;
  let pages = 0;
  while (next) {
    const html: string = await look(world, next);
    seen.push(...[...html.matchAll(/timeline\?task=(\d+)"/g)].map(([, id]) => id));
    const after: string | undefined = /href="[^"]*(changes\?after=[\d.]+)"/.exec(html)?.[1];
    next = after && page.replace(/changes$/, after);
    assert.ok(++pages <= 13);
  }
  const all = Array.from({ length: 250 }, (_, n) => n + 1);
  const known = all.filter((n) => n % 10 === 0);
  assert.deepEqual(seen.map(Number), [...known, ...all.filter((n) => n % 10 > 0)]);
  for (const wrong of ["x", "9999999.1", "-1.2", "3"]) {
    assert.equal(changes(await look(world, `${page}?after=${wrong}`)).length, 20, wrong);
  }
});

Deno.test("the tab of changes says why there is nothing to see, and what would change", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const told = async (input: Record<string, unknown>, isChanged: boolean) => {
    const run = await reportedTask(world, input);
    await run.report(
      play("Web"),
      task("a"),
      result("a", "web", isChanged ? { status: "changed" } : {}),
    );
    await run.end();
    const page = `${run.path.replace("/api", "")}/changes`;
    return { carol: text(await look(world, page)), page };
  };
  const blind = await told({}, true);
  assert.match(blind.carol, /did not record diffs/);
  assert.doesNotMatch(blind.carol, /Run it again|that a real run would make/);
  assert.match(
    await (await world.get("bob", blind.page)).text(),
    new RegExp(`/project/${web.id}/templates/${deploy.id}/tasks\\?from=\\d+"[^>]*>Run it again`),
  );
  assert.doesNotMatch((await told({ diff: true }, true)).carol, /did not record/);
  assert.match((await told({ dry_run: true }, true)).carol, /changes that a real run would make/);
  assert.match((await told({ dry_run: true }, false)).carol, /Nothing would change\./);
  assert.match((await told({}, false)).carol, /Nothing was changed\./);
});
