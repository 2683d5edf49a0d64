import assert from "node:assert/strict";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { RunEvent } from "../execution/run/events.ts";
import { rowKeys } from "../store/keys.ts";
import { rememberDue } from "./remember.ts";
import { factChanges, flatFacts } from "./flat_facts.ts";

const facts = (host: string, value: Record<string, unknown>): RunEvent => ({
  type: "facts",
  host,
  facts: { value, shortened: [] },
});

/** Creates a task that has gathered these facts of a host, in parts. */
async function gathered(world: World, ...parts: Record<string, unknown>[]): Promise<number> {
  const run = await reportedTask(world);
  await run.report(play("Web"), task("a"), result("a", "web"));
  for (const part of parts) await run.report(facts("web", part), facts("elsewhere", part));
  await run.end();
  await rememberDue(world.deps);
  return run.id;
}

const factsOf = async (world: World) =>
  (await world.api("carol", "GET", `/api/project/${world.web.id}/hosts/web/facts`)).body;
const rowsBelow = (world: World, prefix: Deno.KvKey) =>
  Array.fromAsync(world.kv.list({ prefix }), ({ key }) => key);

Deno.test("a host has the facts of its latest task, and their changes since the task before", async () => {
  await using world = await newWorld();
  const first = await gathered(world, { ansible_kernel: "6.1", ansible_os: "Debian" }, {
    ansible_kernel: "6.2",
  });
  const before = await factsOf(world);
  assert.deepEqual(before.facts, { ansible_kernel: "6.2", ansible_os: "Debian" });
  assert.deepEqual([before.task_id, before.since_task_id, before.changes], [first, null, []]);
  const second = await gathered(world, { ansible_kernel: "6.3", ansible_eth0: { mtu: 1500 } });
  const { task_id, since_task_id, changes } = await factsOf(world);
  assert.deepEqual([task_id, since_task_id], [second, first]);
  assert.deepEqual(changes, [
    { name: "ansible_kernel", change: "changed", before: "6.2", after: "6.3" },
    { name: "ansible_eth0.mtu", change: "added", before: null, after: "1500" },
    { name: "ansible_os", change: "removed", before: "Debian", after: null },
  ]);
  await gathered(world);
  assert.equal((await factsOf(world)).task_id, second, "a run that gathers none changes nothing");
  for (const run of [first, second]) {
    assert.deepEqual(await rowsBelow(world, rowKeys.taskResultRow(run, "facts")), []);
  }
});

/** Returns characters that cannot be compressed. */
const random = (length: number) =>
  Array.from(
    { length },
    () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000)),
  ).join("");

/** Returns the facts of a module. */
const module = (name: string, count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}_${n}`, random(length)]));

Deno.test("facts that fit in parts but not together are shortened, and say so", async () => {
  await using world = await newWorld();
  for (let run = 0; run < 2; run++) {
    await gathered(world, module("a", 16, 480), module("b", 16, 480), module("c", 16, 480));
  }
  const fitting = await factsOf(world);
  assert.deepEqual([Object.keys(fitting.facts).length, fitting.shortened], [48, []]);
  assert.ok(fitting.changes.length > 10);
  const names = ["a", "b", "c", "d", "e", "f"];
  await gathered(world, { list: ["x".repeat(250)] }, ...names.map((name) => module(name, 16, 900)));
  const large = await factsOf(world);
  assert.equal(Object.keys(large.facts).length, 97);
  const cut = Object.values<string>(large.facts).filter((text) => text.length === 200).length;
  assert.ok(cut > 10 && cut < 96, `${cut} are cut`);
  assert.equal(large.shortened.length, cut);
  assert.equal(large.shortened[0].length, 900);
  await gathered(world, ...names.map((name) => module(name, 290, 60)));
  const many = await factsOf(world);
  assert.deepEqual(many.shortened, [{ path: [], length: 6 * 290 }]);
  assert.ok(Object.keys(many.facts).length > 100);
});

Deno.test("facts are deleted with their host", async () => {
  await using world = await newWorld();
  await gathered(world, { ansible_kernel: "6.1" });
  await gathered(world, { ansible_kernel: "6.2" });
  assert.equal((await rowsBelow(world, ["host_facts"])).length, 2);
  await world.api("mike", "DELETE", `/api/project/${world.web.id}/hosts/web`);
  assert.deepEqual(await rowsBelow(world, ["host_facts"]), []);
});

Deno.test("an earlier task that ends later does not replace facts", async () => {
  await using world = await newWorld();
  const early = await reportedTask(world);
  await early.report(
    play("Web"),
    task("a"),
    result("a", "web"),
    facts("web", { ansible_a: "old" }),
  );
  const late = await gathered(world, { ansible_a: "new" });
  await early.end();
  await rememberDue(world.deps);
  assert.deepEqual([(await factsOf(world)).task_id, (await factsOf(world)).facts.ansible_a], [
    late,
    "new",
  ]);
});

Deno.test("the page of a host shows its facts, and finds them by name and value", async () => {
  await using world = await newWorld();
  await gathered(world, { ansible_kernel: "6.1" });
  await gathered(world, {
    ansible_kernel: "6.2",
    ansible_dns: { nameservers: ["10.0.0.1", "<b>"] },
  });
  const page = async (query = "") =>
    await (await world.get("carol", `/project/${world.web.id}/hosts/web${query}`)).text();
  const all = await page();
  assert.match(all, /Changed since task #1/);
  assert.match(all, /ansible_dns\.nameservers/);
  assert.match(all, /10\.0\.0\.1, &lt;b/);
  assert.match(await page("?facts=0.0.1"), /ansible_dns\.nameservers/);
  assert.doesNotMatch((await page("?facts=NAMES")).split("facts-filter")[1], /ansible_kernel/);
  assert.match(await page("?facts=nowhere"), /No fact matches &quot;nowhere/);
});

Deno.test("facts that always change, or that only one task gathered, are not changes", () => {
  const before = {
    gather_subset: ["all"],
    ansible_memfree_mb: 5,
    ansible_date_time: { hour: "1" },
    ansible_interfaces: ["lo", "eth0"],
    ansible_mounts: [{ mount: "/", size_available: 5, size_total: 9 }, { mount: "/boot", a: 1 }],
    services: { cron: { state: "running" } },
    ansible_kernel: "6.1",
  };
  const after = {
    ...before,
    ansible_memfree_mb: 6,
    ansible_date_time: { hour: "2" },
    ansible_interfaces: ["eth0", "lo"],
    ansible_mounts: [{ mount: "/boot", a: 1 }, { mount: "/", size_available: 6, size_total: 10 }],
    services: undefined,
  };
  const { services: _, ...told } = after;
  assert.deepEqual(factChanges(before, told), [
    { name: "ansible_mounts[/].size_total", change: "changed", before: "9", after: "10" },
  ]);
  const less = { gather_subset: ["min"], ansible_kernel: "6.2" };
  assert.deepEqual(factChanges(before, less).map(({ name }) => name), [
    "gather_subset",
    "ansible_kernel",
  ]);
});

Deno.test("a list of texts is one fact, and other items are identified by name", () => {
  assert.deepEqual(
    flatFacts({ a: ["x", 1], b: [{ name: "c", d: null }, { e: true }], f: {} }),
    [
      { name: "a", text: "x, 1" },
      { name: "b[c].name", text: "c" },
      { name: "b[c].d", text: "" },
      { name: "b[1].e", text: "true" },
    ],
  );
});
