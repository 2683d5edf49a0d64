import assert from "node:assert/strict";
import { largeRun } from "@/tests/support/world/large_run.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const page = async (world: World, path: string) => await (await world.get("carol", path)).text();
const all = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found]) => found);
const hostsIn = (html: string) => all(html, /<tr id="host-\d+".*?>([^<]*)<\/a>/g);
const cellsIn = (html: string) =>
  all(html, /<(?=[^>]*class="matrix-cell result-\w+")[^>]*aria-label="([^"]*)"/g);
const unescaped = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

/** Creates results of two roles on three hosts. One Ansible task changed nothing. */
async function roles(world: World) {
  const run = await reportedTask(world);
  const inRole = (uuid: string, role: string) => ({ ...task(uuid), role });
  await run.report(
    play("Base"),
    inRole("a", "common"),
    ...["web", "db", "cache"].map((host) => result("a", host)),
    inRole("b", "common"),
    result("b", "web", { status: "changed" }),
    play("Apps"),
    inRole("c", "app"),
    result("c", "web", { status: "failed", message: "no <space> left", lines: { from: 9, to: 9 } }),
    result("c", "db", { status: "unreachable", message: "timed out" }),
  );
  await run.end();
  return `${run.path.replace("/api", "")}/hosts`;
}

Deno.test("hosts come with the worst first, by state and by name", async () => {
  await using world = await newWorld();
  const path = await roles(world);
  assert.deepEqual(hostsIn(await page(world, path)), ["db", "web", "cache"]);
  assert.deepEqual(hostsIn(await page(world, `${path}?state=ok&state=failed`)), ["web", "cache"]);
  assert.deepEqual(hostsIn(await page(world, `${path}?name=EB`)), ["web"]);
  const odd = await page(world, `${path}?state=none&skip=x&host=99&result=7`);
  assert.equal(hostsIn(odd).length, 3, "what cannot be read is as if it were not there");
});

Deno.test("a host leads to its results, and each of these to its message and its line", async () => {
  await using world = await newWorld();
  const path = await roles(world);
  const host = await page(world, `${path}?host=1`);
  assert.deepEqual(all(host, /<a id="open-(\d+)"/g), ["100001", "200001", "300001"]);
  assert.deepEqual(
    all(await page(world, `${path}?host=1&state=failed`), /<a id="open-(\d+)"/g),
    ["300001"],
  );
  const [href] = all(host, /<a id="open-300001"[^>]*href="([^"]*)"/g);
  const shown = await page(world, unescaped(href).replace("#result", ""));
  assert.match(shown, /<section id="result"[^]*no &lt;space(>|&gt;) left/);
  assert.match(shown, /href="[^"]*\/tasks\/\d+\?line=9#L9"/);
});

Deno.test("the matrix folds what changed nothing, and groups by play and role with the worst first", async () => {
  await using world = await newWorld();
  const path = await roles(world);
  const html = await page(world, `${path}?view=matrix`);
  assert.deepEqual(cellsIn(html), [
    "db, Task c: unreachable",
    "web, Task c: failed",
    "web, Task b: changed",
  ]);
  assert.deepEqual(all(html, /class="matrix-group"[^>]*title="([^"]*)"/g), [
    "Apps",
    "Base",
    "app",
    "common",
  ]);
  assert.match(html, /1 Ansible task is hidden/);
  const whole = await page(world, `${path}?view=matrix&all=1&order=run`);
  assert.deepEqual(all(whole, /class="matrix-task"[^>]*title="([^"]*)"/g), [
    "Task a",
    "Task b",
    "Task c",
  ]);
  assert.equal(cellsIn(await page(world, `${path}?view=matrix&state=failed`)).length, 2);
});

Deno.test("a run that changed nothing says so where its matrix would be", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Calm"), task("a", EPOCH), result("a", "web"));
  await run.end();
  const html = await page(world, `${run.path.replace("/api", "")}/hosts?view=matrix`);
  assert.match(html, /No Ansible task changed anything/);
});

Deno.test("the matrix of a large run is shown in parts, and its script has the whole in few bytes", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  for (const event of largeRun()) await run.report(event);
  await run.end();
  const path = `${run.path.replace("/api", "")}/hosts?view=matrix`;
  const html = await page(world, path);
  assert.ok(html.length < 1_000_000, `${html.length} characters`);
  const data = JSON.parse(unescaped(/data-matrix="([^"]*)"/.exec(html)![1]));
  assert.deepEqual([data.hosts.length, data.columns.length, data.states.length], [500, 200, 500]);
  assert.deepEqual(data.hosts[0].name, "host-77.example.com");
  assert.match(data.states[0], /^f{50}/);
  const later = await page(world, `${path}&rows=450&columns=160`);
  assert.match(later, /Hosts 451 to 500 of 500/);
  assert.match(later, /Ansible tasks 161 to 200 of 200/);
  assert.match(later, /aria-rowindex="454"/);
  assert.equal(cellsIn(later).length, 50 * 40);
});

Deno.test("a result's panel shows all that its module answered, as text", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const shown = {
    rc: 2,
    cmd: ["false", "<b>"],
    stdout: "one\n<b>two</b>\x1b[31m…",
    stderr: "no \u202espace",
    invocation: { module_args: { creates: null, _raw_params: "false <b>" } },
    results: [{ ansible_loop_var: "name", name: "first", failed: true, msg: "not <i>this</i>" }],
    warnings: ["old"],
  };
  const full = { value: shown, shortened: [{ path: ["stdout"], length: 70_000 }] };
  await run.report(
    play("Base"),
    task("a"),
    result("a", "web", { status: "failed", full, message: "no <space> left" }),
    result("a", "db", { full: null }),
    result("a", "cache"),
  );
  await run.end();
  const path = run.path.replace("/api", "");
  const panel = await page(world, `${path}/hosts?host=1&result=100001`);
  assert.match(panel, /Return code: 2/);
  assert.match(panel, /false &#39;&lt;b(>|&gt;)&#39;|false '&lt;b(>|&gt;)'/);
  assert.match(panel, /<strong>Standard output<\/strong>/);
  assert.match(panel, /one\n&lt;b(>|&gt;)two/);
  assert.match(panel, /Only the beginning of 70,000 characters is shown/);
  assert.match(panel, /first<\/code>/);
  assert.match(panel, /_raw_params<\/code>/);
  assert.doesNotMatch(panel, /<b>|<i>|creates<\/code>|\u202e/);
  assert.ok(!panel.includes("\x1b"));
  assert.match(panel, /id="result-json"[^>]*>[^<]*&quot;rc&quot;: 2/);
  const dropped = await page(world, `${path}/hosts?host=2&result=100002`);
  assert.match(dropped, /no room for the full answer of 1 result/);
  const none = await page(world, `${path}/hosts?view=matrix&all&result=100003`);
  assert.match(none, /<section id="result"/);
});
