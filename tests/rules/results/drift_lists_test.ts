import assert from "node:assert/strict";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { countReads } from "@/tests/support/basics/count_reads.ts";
import { htmlOf, linkOf } from "@/tests/support/basics/html.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Said = Record<string, Partial<HostResult>>;

const ok: Partial<HostResult> = { status: "ok" };
const failed: Partial<HostResult> = { status: "failed" };
const drifted: Partial<HostResult> = { status: "changed", changed: true, diff: "-a\n+b\n" };

let minute = 0;

/** Runs a check, of the template or of the failed hosts of another check. */
async function checked(
  world: World,
  said: Said,
  input: { template_id?: number; retry?: number } = {},
): Promise<number> {
  const run = await reportedTask(world, { ...input, ...!input.retry && { check: true } });
  const at = EPOCH + minute++ * 60_000;
  await run.report(play("Web"), task("motd", at));
  for (const [host, more] of Object.entries(said)) {
    await run.report(result("motd", host, { began: at, ended: at + 1, ...more }));
  }
  await run.report(task("after", at));
  await run.report(
    result("after", Object.keys(said)[0], { began: at, ended: at + 1, status: "ok" }),
  );
  await run.report({ type: "end", at, lost: 0, checkMode: [] });
  await run.end("success", { end: new Date(at + 2).toISOString() });
  await storeDueDrift(world.deps);
  return run.id;
}

const projectOf = ({ web }: World) => `/project/${web.id}/drift`;
const templateOf = ({ web, deploy }: World) => `/project/${web.id}/templates/${deploy.id}/drift`;
const page = async (world: World, path: string, who: "carol" | "bob" = "bob") =>
  await htmlOf(await world.get(who, path));

/** Returns the hosts that a table shows, in their order. */
const shown = (html: string) =>
  [...html.matchAll(
    /<a (?=[^>]*class="name-link)(?=[^>]*href="[^"]*\/hosts\/)[^>]*title="([^"]*)"/g,
  )]
    .map(([, name]) => name);

Deno.test("states are sorted by host, page after page, with every filter", async () => {
  await using world = await newWorld();
  const names = Array.from({ length: 120 }, (_, n) => `web${n}`);
  const kinds = [ok, drifted, { status: "unreachable" } as const, { unchecked: true }];
  await checked(world, Object.fromEntries(names.map((name, n) => [name, kinds[n % 4]])));
  const api = `/api/project/${world.web.id}/drift?sort=host&limit=50`;
  const all: string[] = [];
  for (let after = "";;) {
    const { body } = await world.api("carol", "GET", `${api}${after}`);
    all.push(...body.map(({ host }: { host: string }) => host));
    if (body.length < 50) break;
    after = `&after=${encodeURIComponent(body.at(-1).cursor)}`;
  }
  assert.deepEqual(all, names);
  for (const path of [projectOf(world), templateOf(world)]) {
    const html = await page(world, `${path}?sort=host`);
    assert.deepEqual(shown(html), names.slice(0, 50));
    assert.match(html, /aria-sort="ascending"[^>]*>.*?Host/s);
    const next = linkOf(html, "Next");
    assert.deepEqual(shown(await page(world, next!)), names.slice(50, 100));
    const searched = await page(world, `${path}?sort=host&q=web1`);
    assert.deepEqual(shown(searched), names.filter((name) => name.includes("web1")));
    const some = await page(world, `${path}?sort=host&state=would_change`);
    assert.deepEqual(shown(some), names.filter((_, n) => n % 4 === 1));
  }
});

Deno.test("the page of a project shows 50 templates, and leads to the others", async () => {
  await using world = await newWorld();
  const api = `/api/project/${world.web.id}/templates`;
  const source = (await world.api("mike", "GET", `${api}/${world.deploy.id}`)).body;
  await checked(world, { web1: ok });
  const stored = await world.kv.get(rowKeys.driftSummary(world.web.id, world.deploy.id));
  for (let n = 0; n < 59; n++) {
    const { body } = await world.api("mike", "POST", api, { ...source, name: `More ${n}` });
    await world.kv.set(rowKeys.driftSummary(world.web.id, body.id), stored.value);
  }
  const first = await page(world, projectOf(world));
  assert.match(first, /Templates on this page: 50/);
  assert.match(first, />More 48</);
  assert.doesNotMatch(first, />More 49</);
  const second = await page(world, linkOf(first, "Next templates")!);
  assert.match(second, /Templates on this page: 10/);
  assert.match(second, />More 58</);
  assert.equal(linkOf(second, "First templates"), projectOf(world));
  const far = (await world.api("mike", "GET", api)).body.at(-1);
  const chosen = await page(world, `${projectOf(world)}?template=${far.id}`);
  assert.match(chosen, new RegExp(`<option value="${far.id}" selected`));
});

Deno.test("changes that hosts need come first, with their number, and are chosen as a whole", async () => {
  await using world = await newWorld();
  const api = `/api/project/${world.web.id}/templates`;
  const source = (await world.api("mike", "GET", `${api}/${world.deploy.id}`)).body;
  const { body: other } = await world.api("mike", "POST", api, { ...source, name: "Firewall" });
  const names = Array.from({ length: 60 }, (_, n) => `web${n}`);
  await checked(world, Object.fromEntries(names.map((name, n) => [name, n < 55 ? drifted : ok])));
  await checked(world, { db1: drifted, db2: ok }, { template_id: other.id });
  const project = projectOf(world);
  const groupsOf = async (query = "") => {
    const html = await page(world, `${project}${query}`);
    const [, body] = /<section id="differing".*?<tbody[^>]*>(.*?)<\/tbody>/s.exec(html) ?? [];
    return (body?.split("</tr>").slice(0, -1) ?? []).map((row) => {
      const [, value] = /name="group"[^>]* value="([^"]*)"/.exec(row) ?? [];
      return `${value} ${/(\d+) hosts?</.exec(row)?.[1]}`;
    });
  };
  const [motd, firewall] = [`${world.deploy.id}:Task motd`, `${other.id}:Task motd`];
  assert.deepEqual(await groupsOf(), [`${motd} 55`, `${firewall} 1`]);
  assert.deepEqual(await groupsOf(`?template=${other.id}`), [`${firewall} 1`]);
  for (const query of ["?q=web", "?state=unknown"]) assert.deepEqual(await groupsOf(query), []);
  const html = await page(world, project);
  assert.ok(html.indexOf('id="differing"') < html.indexOf('id="drift-templates"'));
  const guest = await page(world, project, "carol");
  assert.match(guest, /id="differing"/);
  assert.doesNotMatch(guest, /name="(group|choice)"/);

  // Hosts of several templates are fixed by one task each.
  const fixed = await world.post("bob", `${project}/fix`, { group: [motd, firewall] });
  assert.deepEqual([fixed.status, fixed.headers.get("location")], [
    303,
    `/project/${world.web.id}/history`,
  ]);
  const tasks = await Array.fromAsync(
    world.kv.list<TaskRow>({ prefix: rowKeys.task(world.web.id, 0).slice(0, -1) }),
    ({ value }) => value,
  );
  const fixes = tasks.filter(({ retry_of }) => retry_of);
  assert.deepEqual(fixes.map(({ retry_of }) => retry_of!.hosts).toSorted(), [1, 55]);
  assert.equal((await world.post("carol", `${project}/fix`, { group: motd })).status, 403);

  const many = Array.from({ length: 21 }, (_, n) => `${n + 1}:Task motd`);
  for (const group of [many, `${other.id}:other`, "Task motd", "0:Task motd"]) {
    const refused = await world.post("bob", `${project}/fix`, { group });
    assert.equal(refused.headers.get("location"), project);
  }

  // An accepted difference is no longer one of them.
  const more = { until: "2126-01-01", note: "Known" };
  const form = await page(world, `${project}/accept?group=${encodeURIComponent(firewall)}`);
  assert.match(form, new RegExp(`name="choice" value="${other.id}:db1"`));
  const accepted = await world.post("bob", `${project}/accept`, { group: firewall, ...more });
  assert.deepEqual([accepted.status, accepted.headers.get("location")], [303, project]);
  assert.deepEqual(await groupsOf(), [`${motd} 55`]);
  await checked(world, Object.fromEntries(names.map((name, n) => [name, n < 3 ? drifted : ok])));
  assert.deepEqual(await groupsOf(), [`${motd} 3`]);
  const { body: stats } = await world.api("carol", "GET", `/api${project}/stats`);
  assert.deepEqual(stats.templates[0].differing, [{ play_task: "Task motd", hosts: 3 }]);
});

Deno.test("1,000 hosts with one difference are accepted in one form, and none if there are more", async () => {
  await using world = await newWorld();
  const names = Array.from({ length: 1_000 }, (_, n) => `web${n}.shop.example.com`);
  await checked(world, Object.fromEntries(names.map((name) => [name, drifted])));
  const project = projectOf(world);
  const group = `${world.deploy.id}:Task motd`;
  const form = await page(world, `${project}/accept?group=${encodeURIComponent(group)}`);
  assert.match(form, /1,?000 hosts \(web0\.shop\.example\.com,.*web19\.shop\.example\.com, …\)/);
  const choice = [...form.matchAll(/name="choice" value="([^"]*)"/g)].map(([, value]) => value);
  assert.equal(choice.length, 1_000);
  const more = { until: "2126-01-01", note: "Known" };
  const accepted = await world.post("bob", `${project}/accept`, { choice, ...more });
  assert.equal(accepted.status, 303, await accepted.text());
  const { body: stats } = await world.api("carol", "GET", `/api${project}/stats`);
  assert.deepEqual([stats.hosts.accepted, stats.hosts.would_change], [1_000, 0]);
  const events = await page(world, `/project/${world.web.id}/activity`);
  const counts = [...events.matchAll(/\(hosts: (\d+)\)/g)].map(([, count]) => Number(count));
  assert.equal(counts.reduce((sum, count) => sum + count, 0), 1_000);

  // One that does not differ refuses all, whichever commit it would be in.
  const ended = await world.post("bob", `${project}/unaccept`, { choice });
  assert.equal(ended.status, 303);
  const said = [...names.map((name) => [name, drifted] as const), ["db1", drifted] as const];
  await checked(world, { ...Object.fromEntries(said), "web999.shop.example.com": ok });
  const refused = await world.post("bob", `${project}/accept`, { choice, ...more });
  assert.equal(refused.status, 422);
  const now = (await world.api("carol", "GET", `/api${project}/stats`)).body.hosts;
  assert.deepEqual([now.accepted, now.would_change], [0, 1_000]);
  const tooMany = await world.post("bob", `${project}/accept`, {
    ...{ choice: [...choice, `${world.deploy.id}:db1`], ...more },
  });
  assert.equal(tooMany.status, 400);
});

Deno.test("choosing by what differs reads at most 10,000 hosts of all templates together", async () => {
  await using world = await newWorld();
  const names = Array.from({ length: 6_000 }, (_, n) => `web${n}`);
  await checked(world, Object.fromEntries(names.map((name) => [name, drifted])));
  const project = projectOf(world);
  const api = `/api/project/${world.web.id}/templates`;
  const source = (await world.api("mike", "GET", `${api}/${world.deploy.id}`)).body;
  const { body: other } = await world.api("mike", "POST", api, { ...source, name: "Firewall" });
  await checked(world, Object.fromEntries(names.map((name) => [name, drifted])), {
    template_id: other.id,
  });
  const chosen = async (...groups: string[]) => {
    const reads = countReads(world.kv);
    const query = groups.map((group) => `group=${encodeURIComponent(group)}`).join("&");
    const { status, headers } = await world.get("bob", `${project}/accept?${query}`);
    const flash = decodeURIComponent(headers.get("set-cookie") ?? "");
    return { status, rows: reads.end(), max: /"max":(\d+)/.exec(flash)?.[1] };
  };
  // More hosts than one form accepts are not all read.
  const many = await chosen(`${world.deploy.id}:Task motd`);
  assert.deepEqual([many.status, many.max], [303, "1000"]);
  assert.ok(many.rows < 3_000, `${many.rows} rows`);
  // An Ansible task that no host needs.
  const none = await chosen(`${world.deploy.id}:other`, `${other.id}:other`);
  assert.deepEqual([none.status, none.max], [303, "10000"]);
  assert.ok(none.rows < 21_000, `${none.rows} rows`);
});

Deno.test("a fix that is refused does not hide the tasks of other templates that have begun", async () => {
  await using world = await newWorld();
  const api = `/api/project/${world.web.id}/templates`;
  const source = (await world.api("mike", "GET", `${api}/${world.deploy.id}`)).body;
  const { body: other } = await world.api("mike", "POST", api, { ...source, name: "Firewall" });
  const { body: third } = await world.api("mike", "POST", api, { ...source, name: "Users" });
  for (const template_id of [world.deploy.id, other.id, third.id]) {
    await checked(world, { web1: drifted }, { template_id });
  }
  const project = projectOf(world);
  const choice = [world.deploy.id, other.id, third.id].map((id) => `${id}:web1`);
  // Someone has fixed the hosts of one meanwhile.
  await checked(world, { web1: ok }, { template_id: other.id });
  const answer = await world.post("bob", `${project}/fix`, { choice });
  assert.equal(answer.status, 409);
  const html = await answer.text();
  const [refused, started] = ["not-started", "started"].map((id) =>
    new RegExp(`<ul id="${id}">(.*?)</ul>`, "s").exec(html)![1]
  );
  assert.match(html, /Not started: 1/);
  assert.match(refused, new RegExp(`href="[^"]*/templates/${other.id}/drift">Firewall<.*differ`));
  assert.equal(refused.split("<li").length - 1, 1);
  assert.match(html, /Fixes started: 2/);
  const tasks = [...started.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  assert.equal(tasks.length, 2);
  for (const href of tasks) {
    const task = await world.get("bob", href.replaceAll("&amp;", "&"));
    assert.equal(task.status, 200);
  }
  // None of several could be started.
  const none = await world.post("bob", `${project}/fix`, {
    choice: [`${other.id}:web1`, `${other.id + 1_000}:web1`],
  });
  assert.equal(none.status, 409);
  assert.doesNotMatch(await none.text(), /Fixes started/);
  // The store fails after the first one has begun.
  await checked(world, { web1: drifted }, { template_id: other.id });
  const get = world.kv.get.bind(world.kv);
  world.kv.get = (key: Deno.KvKey) => {
    if (String(key[0]).startsWith("drift") && key.includes(third.id)) throw new Error("disk");
    return get(key) as never;
  };
  const failed = await world.post("bob", `${project}/fix`, {
    choice: [`${other.id}:web1`, `${third.id}:web1`],
  });
  world.kv.get = get;
  assert.equal(failed.status, 409);
  const told = await failed.text();
  assert.match(told, /Fixes started: 1/);
  assert.match(told, />Users<[^]*Something went wrong on the server\. Its log has the details/);
});

Deno.test("the acceptance of a difference is ended with a button", async () => {
  await using world = await newWorld();
  await checked(world, { web1: drifted, web2: drifted });
  const path = templateOf(world);
  const own = { choice: `${world.deploy.id}:web1`, template: String(world.deploy.id) };
  assert.doesNotMatch(await page(world, path), /Stop accepting/);
  const project = projectOf(world);
  await world.post("bob", `${project}/accept`, { ...own, until: "2126-01-01", note: "Known" });
  assert.match(await page(world, path), /formaction="[^"]*\/drift\/unaccept"/i);
  // Nothing is chosen, so the page says what to do.
  const { template } = own;
  for (const command of ["unaccept", "fix"]) {
    const refused = await world.post("bob", `${project}/${command}`, { template });
    assert.deepEqual([refused.status, refused.headers.get("location")], [303, path]);
    assert.match(decodeURIComponent(refused.headers.get("set-cookie")!), /none_chosen/);
  }
  for (const [query, back] of [[`?template=${template}`, path], ["", project]]) {
    const choice = await world.get("bob", `${project}/accept${query}`);
    assert.deepEqual([choice.status, choice.headers.get("location")], [303, back]);
  }
  assert.equal((await world.post("carol", `${project}/unaccept`, own)).status, 403);
  const ended = await world.post("bob", `${project}/unaccept`, own);
  assert.deepEqual([ended.status, ended.headers.get("location")], [303, path]);
  const html = await page(world, path);
  assert.doesNotMatch(html, /Stop accepting|Known/);
  assert.match(html, /Hosts that differ: 2 of 2/);
  const events = await page(world, `/project/${world.web.id}/activity`);
  assert.match(events, /are no longer accepted \(hosts: 1\)/);
});

Deno.test("a check is repeated on failed hosts as a check, and observes only these", async () => {
  await using world = await newWorld();
  const first = await checked(world, { web1: ok, web2: drifted, web3: failed, web4: failed });
  const states = async () => {
    const { body } = await world.api(
      "carol",
      "GET",
      `/api/project/${world.web.id}/drift?sort=host`,
    );
    return body.map(({ state }: { state: string }) => state);
  };
  assert.deepEqual(await states(), ["as_described", "would_change", "unknown", "unknown"]);
  const again = await checked(world, { web3: ok, web4: drifted }, { retry: first });
  const row = (await world.kv.get<TaskRow>(rowKeys.task(world.web.id, again))).value!;
  assert.deepEqual([row.check, row.dry_run, row.retry_of?.task_id], [true, true, first]);
  assert.deepEqual(await states(), [
    ...["as_described", "would_change", "as_described", "would_change"],
  ]);
  const stats = (await world.api("carol", "GET", `/api/project/${world.web.id}/drift/stats`)).body;
  assert.deepEqual([stats.templates[0].task_id, stats.templates[0].checks.length], [first, 1]);
  assert.deepEqual((await world.api("bob", "GET", `/api/project/${world.web.id}/tasks`)).body, []);

  // One check of a template is open at a time.
  const open = await reportedTask(world, { check: true });
  const retry = `/api/project/${world.web.id}/tasks/${first}/retry`;
  assert.equal((await world.api("bob", "POST", retry, {})).status, 409);
  await open.end("error");
  assert.equal((await world.api("bob", "POST", retry, {})).status, 201);
});

Deno.test("a check does not end the first steps, and searches leave it out", async () => {
  await using world = await newWorld();
  const history = `/project/${world.web.id}/history`;
  assert.match(await page(world, history), /id="first-steps"/);
  const id = await checked(world, { web1: drifted });
  assert.match(await page(world, history), /id="first-steps"/);
  const key = rowKeys.task(world.web.id, id);
  const { value } = await world.kv.get<TaskRow>(key);
  await world.kv.set(key, { ...value!, message: "Strawberry" });
  const find = async (q: string) =>
    JSON.stringify(
      (await world.api("bob", "GET", `/api/project/${world.web.id}/search?q=${q}`)).body,
    );
  assert.doesNotMatch(await find("Strawberry"), new RegExp(`"id":${id}\\b.*Strawberry`));
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    ...{ template_id: world.deploy.id, message: "Strawberry" },
  });
  assert.match(await find("Strawberry"), /Strawberry/);
  assert.doesNotMatch(await page(world, history), /id="first-steps"/);
});
