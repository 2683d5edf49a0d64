import assert from "node:assert/strict";
import type { HostResult } from "@/lib/execution/run/events.ts";
import type { HostDrift } from "@/lib/drift/schema.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { readHostNames } from "@/lib/tasks/host_store.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import type { ScheduleRow } from "@/lib/triggers/schedules/schema.ts";
import { countReads } from "@/tests/support/basics/count_reads.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { fireSchedule } from "@/tests/support/world/schedules.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Said = Record<string, Partial<HostResult>>;

const DIFF = "--- before: /etc/motd\n+++ after: /etc/motd\n@@ -1 +1 @@\n-by hand\n+by the book\n";
const ok: Partial<HostResult> = { status: "ok" };
const drifted: Partial<HostResult> = { status: "changed", changed: true, diff: DIFF };

let minute = 0;

async function checked(
  world: World,
  said: Said,
  commit_hash?: string,
  template_id = world.deploy.id,
): Promise<number> {
  const run = await reportedTask(world, { check: true, template_id });
  const entry = await world.kv.get<TaskRow>(rowKeys.task(world.web.id, run.id));
  if (commit_hash) await world.kv.set(entry.key, { ...entry.value!, commit_hash });
  const at = EPOCH + minute++ * 60_000;
  await run.report(play("Web"), task("motd", at));
  for (const [host, more] of Object.entries(said)) {
    await run.report(result("motd", host, { began: at, ended: at + 1, ...more }));
  }
  await run.report({ type: "end", at, lost: 0, checkMode: [] });
  await run.end("success", { end: new Date(at + 2).toISOString() });
  await storeDueDrift(world.deps);
  return run.id;
}

const projectOf = ({ web }: World) => `/project/${web.id}/drift`;
const templateOf = ({ web, deploy }: World) => `/project/${web.id}/templates/${deploy.id}/drift`;
/** Values of the boxes that choose hosts of the template. */
const choicesOf = ({ deploy }: World, ...hosts: string[]) =>
  hosts.map((host) => `${deploy.id}:${host}`);

async function page(world: World, path: string, who: "carol" | "bob" | "dave" = "carol") {
  const answer = await world.get(who, path);
  return { status: answer.status, html: await answer.text() };
}

/** Returns the hosts that a table shows, in their order. */
const shown = (html: string) =>
  [...html.matchAll(
    /<a (?=[^>]*class="name-link)(?=[^>]*href="[^"]*\/hosts\/)[^>]*title="([^"]*)"/g,
  )]
    .map(([, name]) => name);

Deno.test("a project without checks explains them, and so does a template", async () => {
  await using world = await newWorld();
  const empty = async (who: "alice" | "bob" | "carol") =>
    (await world.get(who, projectOf(world))).text();
  assert.match(await empty("carol"), /No template has been checked yet/);
  for (const who of ["alice", "bob"] as const) {
    assert.match(await empty(who), new RegExp(`<a href="${templateOf(world)}">Deploy shop<`));
  }
  assert.doesNotMatch(await empty("carol"), /id="to-check"/);
  const own = await page(world, templateOf(world), "bob");
  assert.match(own.html, /has not been checked yet/);
  assert.match(own.html, /Check for drift/);
  assert.doesNotMatch((await page(world, templateOf(world))).html, /Check for drift/);
  for (const path of [projectOf(world), templateOf(world)]) {
    assert.equal((await page(world, path, "dave")).status, 404);
  }
});

Deno.test("a project with a checked template leads to the checks of others", async () => {
  await using world = await newWorld();
  await checked(world, { web1: ok });
  const { web } = world;
  const form = templateForm(world, { name: "Back up" });
  const { body } = await world.api("mike", "POST", `/api/project/${web.id}/templates`, form);
  const link = `<a href="/project/${web.id}/templates/${body.id}/drift">Back up<`;
  const [, offered = ""] = (await page(world, projectOf(world), "bob")).html
    .split('<details id="to-check"');
  assert.ok(offered.includes(link), offered);
  assert.ok(!offered.includes(">Deploy shop<"), "a checked one is above");
  assert.doesNotMatch((await page(world, projectOf(world))).html, /id="to-check"/, "guests");
});

Deno.test("pages show hosts worst first, and each change once with the hosts that need it", async () => {
  await using world = await newWorld();
  await checked(world, { web1: ok, web2: ok, web10: ok });
  const check = await checked(world, { web1: ok, web2: drifted, web10: drifted });
  const own = await page(world, `/project/${world.web.id}/tasks/${check}`, "bob");
  assert.match(own.html, new RegExp(`<a [^>]*href="${templateOf(world)}"`), "leads to the drift");
  const { html } = await page(world, templateOf(world), "bob");
  assert.deepEqual(shown(html), ["web2", "web10", "web1"]);
  assert.match(html, /Hosts that differ: 2 of 3/);
  assert.equal(html.match(/by the book/g)!.length, 1);
  assert.match(html, /web2, web10/);
  const project = await page(world, `${projectOf(world)}?state=would_change&q=10`);
  assert.deepEqual(shown(project.html), ["web10"]);
  const overview = await page(world, "/drift");
  assert.equal(overview.status, 200);
  assert.match(overview.html, /<main.*Web shop.*\/project\/\d+\/drift/s);
  const others = await page(world, "/drift", "dave");
  assert.equal(others.status, 200);
  assert.doesNotMatch(others.html, /Web shop/);

  // Someone has fixed one of them.
  const run = await reportedTask(world);
  const at = EPOCH + minute++ * 60_000;
  const fixed = result("motd", "web2", { status: "changed", began: at, ended: at + 1 });
  await run.report(play("Web"), task("motd", at), fixed);
  await run.report({ type: "end", at, lost: 0 });
  await run.end();
  await storeDueDrift(world.deps);
  const after = await page(world, templateOf(world), "bob");
  assert.match(after.html, /Hosts that differ: 1 of 3/);
  assert.doesNotMatch(after.html, /web2, web10/);
});

Deno.test("the page of a host shows what drifted, also if only checks have reached it", async () => {
  await using world = await newWorld();
  await checked(world, { web1: ok, web2: drifted });
  const hostPage = (name: string) => page(world, `/project/${world.web.id}/hosts/${name}`);
  const { status, html } = await hostPage("web2");
  assert.equal(status, 200);
  assert.equal(html.match(/by the book/g)!.length, 1);
  assert.match(html, /changes\?by=host&amp;host=2&amp;change=\d+"/);
  const other = await hostPage("web1");
  assert.equal(other.status, 200);
  assert.match(other.html, /Matches/);
  assert.doesNotMatch(other.html, /by the book/);
  assert.equal((await hostPage("web3")).status, 404);
});

Deno.test("a fix runs on exactly the chosen hosts that differ, at the commit of the check, after a preview", async () => {
  await using world = await newWorld();
  const commit_hash = "c0ffee".repeat(6) + "c0ff";
  const said = { web1: drifted, web2: drifted, web3: drifted, web4: ok };
  const check = await checked(world, said, commit_hash);
  assert.match((await page(world, templateOf(world))).html, /Commit: <code>c0ffeec0ff<\/code>/);
  const fix = async (form: Record<string, string | string[]>) => {
    const answer = await world.post("bob", `${projectOf(world)}/fix`, form);
    const id = Number(/t=(\d+)/.exec(answer.headers.get("location") ?? "")?.[1]);
    const row = (await world.kv.get<TaskRow>(rowKeys.task(world.web.id, id))).value!;
    return { row, hosts: await readHostNames(world.kv, row) };
  };
  const some = await fix({ choice: choicesOf(world, "web1", "web3", "web4") });
  assert.deepEqual(some.hosts, ["web1", "web3"]);
  assert.deepEqual([some.row.commit_hash, some.row.preview?.made], [commit_hash, null]);
  assert.deepEqual(some.row.retry_of, { task_id: check, hosts: 2, of: 4 });
  const all = await fix({ all: "true", template: String(world.deploy.id), commit: "latest" });
  assert.deepEqual([all.hosts, all.row.commit_hash], [["web1", "web2", "web3"], null]);
  const api = `/api/project/${world.web.id}/templates/${world.deploy.id}/fix`;
  assert.equal((await world.api("bob", "POST", api, { hosts: ["web4"] })).status, 400);
  assert.equal((await world.api("carol", "POST", api, {})).status, 403);
});

Deno.test("differences are accepted on a page until the end of a day, with a note", async () => {
  await using world = await newWorld();
  await checked(world, { web1: drifted, web2: drifted });
  const path = `${projectOf(world)}/accept`;
  const [choice] = choicesOf(world, "web1");
  const form = await page(world, `${path}?choice=${choice}`, "bob");
  assert.match(form.html, new RegExp(`name="choice" value="${choice}"`));
  const send = (fields: Record<string, string>) => world.post("bob", path, { choice, ...fields });
  assert.equal((await send({ until: "", note: "Known" })).status, 422);
  assert.equal((await send({ until: "2000-01-01", note: "Known" })).status, 422);
  assert.equal((await send({ until: "2126-01-01", note: "Known" })).status, 303);
  const api = `/api/project/${world.web.id}/drift?state=accepted`;
  const { body } = await world.api("carol", "GET", api);
  assert.deepEqual(
    body.map(({ host, accepted }: { host: string; accepted: { note: string } }) => [
      host,
      accepted.note,
    ]),
    [["web1", "Known"]],
  );
  assert.match((await page(world, templateOf(world))).html, /Known/);
});

Deno.test("lists of the API continue behind a cursor, and CSV has all rows", async () => {
  await using world = await newWorld();
  await checked(world, { web1: ok, "=web2": drifted, web3: drifted });
  const api = `/api/project/${world.web.id}/drift`;
  const first = (await world.api("carol", "GET", `${api}?limit=1`)).body;
  const cursor = encodeURIComponent(first[0].cursor);
  const rest = (await world.api("carol", "GET", `${api}?after=${cursor}`)).body;
  assert.deepEqual([...first, ...rest].map(({ host }) => host), ["=web2", "web3", "web1"]);
  const csv = await (await world.get("carol", `${api}.csv?state=would_change`)).text();
  const [head, ...lines] = csv.trimEnd().split("\r\n");
  assert.match(head, /^host,template_id,template_name,state,since/);
  assert.deepEqual(lines.map((line) => line.split(",")[0]), ["'=web2", "web3"]);
  const stats = (await world.api("carol", "GET", `${api}/stats`)).body;
  assert.deepEqual([stats.hosts.would_change, stats.templates[0].checks.length], [2, 1]);
});

Deno.test("the API and CSV name the Ansible tasks that differ, and why others were not checked", async () => {
  await using world = await newWorld();
  await checked(world, {
    ...{ web1: { ...drifted, message: "differs" }, web2: { unchecked: true, status: "skipped" } },
    web3: { status: "unreachable", message: "No route to host" },
  });
  const api = `/api/project/${world.web.id}/drift`;
  const rows = (await world.api("carol", "GET", `${api}?sort=host`)).body;
  assert.deepEqual(rows.map(({ change_tasks }: HostDrift) => change_tasks), [
    ["Task motd"],
    [],
    [],
  ]);
  const csv = await (await world.get("carol", `${api}.csv`)).text();
  const [head, ...lines] = csv.trimEnd().split("\r\n");
  assert.match(head, /,unchecked,change_tasks,reason_task,reason_place,reason$/);
  const ends = lines.map((line) => line.split(",").slice(-5).join());
  assert.deepEqual(ends.toSorted(), [
    "0,,Task motd,site.yml:1,No route to host",
    "0,Task motd,,,",
    "1,,Task motd,site.yml:1,command has no check mode. Add check_mode: false if it only reads.",
  ]);
});

Deno.test("names of hosts that no key can have match nothing", async () => {
  await using world = await newWorld();
  await checked(world, { web1: drifted });
  const api = `/api/project/${world.web.id}/drift`;
  const long = encodeURIComponent("ü".repeat(1_000));
  const ofHost = await world.api("carol", "GET", `${api}?host=${long}`);
  assert.deepEqual([ofHost.status, ofHost.body], [200, []]);
  const after = await world.api("carol", "GET", `${api}?after=would_change:1:${long}`);
  assert.deepEqual([after.status, after.body.length], [200, 1]);
  const fix = `/api/project/${world.web.id}/templates/${world.deploy.id}/fix`;
  const answer = await world.api("bob", "POST", fix, { hosts: ["ü".repeat(1_000)] });
  assert.equal(answer.status, 400);
});

Deno.test("pages of 5,000 hosts and two templates read fewer than 300 rows", async () => {
  await using world = await newWorld();
  const names = Array.from({ length: 5_000 }, (_, n) => `web${n}`);
  const said = Object.fromEntries(names.map((name, n) => [name, n % 3 ? ok : drifted]));
  await checked(world, said);
  const templates = `/api/project/${world.web.id}/templates`;
  const { body } = await world.api("mike", "GET", `${templates}/${world.deploy.id}`);
  const other = await world.api("mike", "POST", templates, { ...body, name: "Other" });
  await checked(world, said, undefined, other.body.id);
  const count = async (path: string) => {
    const reads = countReads(world.kv);
    const { html } = await page(world, path, "bob");
    const count = reads.end();
    assert.ok(count < 300, `${path}: ${count}`);
    return html;
  };
  const paths = [projectOf(world), templateOf(world)];
  for (const path of [...paths, ...paths.map((path) => `${path}?sort=host`)]) {
    assert.equal(shown(await count(path)).length, 50);
  }
  assert.match(await count("/drift"), /3,334/);
  assert.match(await count(`/project/${world.web.id}/hosts/web3`), /by the book/);
});

Deno.test("a schedule starts checks, and none while one is open", async () => {
  await using world = await newWorld();
  const { body } = await world.api("alice", "POST", `/api/project/${world.web.id}/schedules`, {
    ...{ template_id: world.deploy.id, name: "Drift", cron_format: "@hourly" },
    ...{ active: true, check: true },
  });
  assert.equal(body.check, true);
  const { kv } = world;
  const row = (await kv.get<ScheduleRow>(rowKeys.resource("schedules", world.web.id, body.id)))
    .value!;
  const due = () => fireSchedule(world.deps, row);
  await due();
  await due();
  const list = `/api/project/${world.web.id}/tasks`;
  const checks = (await world.api("bob", "GET", `${list}?trigger=check`)).body;
  assert.deepEqual(checks.map(({ check }: { check: boolean }) => check), [true]);
  assert.deepEqual((await world.api("bob", "GET", list)).body, []);
  const schedule = await world.api(
    "bob",
    "GET",
    `/api/project/${world.web.id}/schedules/${body.id}`,
  );
  assert.equal(schedule.body.last_task_id, checks[0].id);
  assert.notEqual(schedule.body.last_skipped_at, null);
});
