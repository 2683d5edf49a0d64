import assert from "node:assert/strict";
import { countingReads } from "@/tests/support/basics/counting_reads.ts";
import { largeRun } from "@/tests/support/world/large_run.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { openProject } from "../access/scope.ts";
import type { RunEvent } from "../execution/run/events.ts";
import { getTaskRow } from "../model/tasks.ts";
import { resultsOf } from "./results.ts";
import type { HostGroup, OutcomeDifference } from "./schema.ts";

/** Creates a task with these events. */
async function reported(world: World, events: Iterable<RunEvent>): Promise<number> {
  const run = await reportedTask(world);
  for (const event of events) await run.report(event);
  await run.report({ type: "end", at: EPOCH + 600_000, lost: 0 });
  await run.end();
  return run.id;
}

interface Compared {
  run: RunEvent[];
  base: RunEvent[];
  sameFiles?: boolean;
}

/** Returns the differences between two tasks with these events. */
async function compared({ run, base, sameFiles = true }: Compared) {
  await using world = await newWorld();
  const { kv, web: { id } } = world;
  const earlier = await getTaskRow(kv, id, await reported(world, base));
  const later = await getTaskRow(kv, id, await reported(world, run));
  const pair = {
    run: { ...later, commit_hash: "a".repeat(40) },
    base: { ...earlier, commit_hash: (sameFiles ? "a" : "b").repeat(40) },
  };
  const scope = await openProject({ deps: world.deps, actor: world.people.carol.actor }, id);
  return (await resultsOf(scope, pair)).differences!;
}

const named = (name: string, line: number, more = {}): RunEvent =>
  ({ ...task(`${name}/${line}`), name, line, ...more }) as RunEvent;

const textOf = ({ name, run, base }: OutcomeDifference) =>
  `${name}: ${run?.status ?? "-"} | ${base?.status ?? "-"}`;
const groupText = ({ hosts, more, differences, onlyRun, onlyBase }: HostGroup) => ({
  hosts: hosts.map(({ name }) => name).join(" ") + (more ? ` +${more}` : ""),
  tasks: differences.map(textOf),
  only: [onlyRun.count, onlyBase.count],
});

/** Returns events in which every Ansible task is ok on every host. */
const allOk = (tasks: [name: string, line: number][], hosts: string[]): RunEvent[] =>
  tasks.flatMap(([name, line]) => [
    named(name, line),
    ...hosts.map((host) => result(`${name}/${line}`, host)),
  ]);

Deno.test("hosts with the same differences are listed once, worst first, and results missing after a failure are counted", async () => {
  const hosts = ["web1", "web2", "web3", "db"];
  const rest: [string, number][] = [["Copy", 20], ["Start", 30], ["Check", 40]];
  const failed = { status: "failed", message: "no such package" } as const;
  const differences = await compared({
    base: [play("All"), ...allOk([["Install", 10], ...rest], [...hosts, "gone"])],
    run: [
      play("All"),
      named("Install", 10),
      result("Install/10", "web1", failed),
      result("Install/10", "web2", failed),
      result("Install/10", "web3"),
      result("Install/10", "db"),
      ...allOk(rest.slice(0, 2), ["web3", "db", "new"]),
      named("Check", 40),
      result("Check/40", "web3", { status: "changed" }),
      result("Check/40", "db"),
    ],
  });
  assert.deepEqual(differences.groups.map(groupText), [
    { hosts: "web1 web2", tasks: ["Install: failed | ok"], only: [0, 3] },
    { hosts: "web3", tasks: ["Check: changed | ok"], only: [0, 0] },
  ]);
  const [{ differences: [install], onlyBase }] = differences.groups;
  assert.equal(install.run?.message, "no such package");
  assert.equal(onlyBase.first?.name, "Copy");
  assert.deepEqual([differences.hosts, differences.different], [4, 3]);
  assert.deepEqual(differences.onlyRun.hosts.map(({ name }) => name), ["new"]);
  assert.deepEqual(differences.onlyBase.hosts.map(({ name }) => name), ["gone"]);
  assert.deepEqual(differences.gaps, []);
});

Deno.test("Ansible tasks are matched by position and name in any version of the files", async () => {
  const twice = (first: number, second: number, status: "ok" | "changed"): RunEvent[] => [
    play("All"),
    named("Restart", first),
    result(`Restart/${first}`, "web"),
    named("Restart", second),
    result(`Restart/${second}`, "web", { status }),
  ];
  const moved = await compared({
    base: twice(10, 20, "ok"),
    run: twice(15, 28, "changed"),
    sameFiles: false,
  });
  assert.deepEqual(moved.groups.map(groupText), [
    { hosts: "web", tasks: ["Restart: changed | ok"], only: [0, 0] },
  ]);
  // Without the first one, the line identifies the second.
  const [first, , , ...second] = twice(10, 20, "ok");
  const rescued = await compared({ base: twice(10, 20, "ok"), run: [first, ...second] });
  assert.deepEqual(rescued.groups.map(groupText), [{ hosts: "web", tasks: [], only: [0, 1] }]);

  const deploy = (version: string): RunEvent[] => [
    play("All"),
    named(`Deploy ${version}`, 10),
    result(`Deploy ${version}/10`, "web"),
  ];
  const variable = { base: deploy("v1"), run: deploy("v2") };
  assert.deepEqual((await compared(variable)).groups, []);
  const other = await compared({ ...variable, sameFiles: false });
  assert.deepEqual(other.groups.map(groupText), [{ hosts: "web", tasks: [], only: [1, 1] }]);

  const release = (version: string): RunEvent[] => [
    play(`Release ${version}`),
    named("Install", 10),
    result("Install/10", "web"),
    play(`Check ${version}`),
    named("Install", 10),
    result("Install/10", "web", { status: "changed" }),
  ];
  const plays = { base: release("v1"), run: release("v2") };
  assert.deepEqual((await compared(plays)).groups, []);

  const inRole = (role: string) => [
    play("All"),
    named("Install", 3, { role, path: `roles/${role}/tasks/main.yml` }),
    result("Install/3", "web", { status: role === "db" ? "changed" : "ok" }),
  ];
  const roles = await compared({
    base: [...inRole("web"), ...inRole("db").slice(1)],
    run: [...inRole("db"), ...inRole("web").slice(1)],
  });
  assert.deepEqual(roles.groups, []);
});

Deno.test("repeated results of a host are compared in their order, independent of other hosts", async () => {
  const included = (...statuses: ("ok" | "changed" | "failed")[][]): RunEvent[] => [
    play("All"),
    ...statuses.flatMap((ofHosts) => [
      named("Add", 5),
      ...ofHosts.map((status, n) => result("Add/5", `host${n}`, { status })),
    ]),
  ];
  const differences = await compared({
    base: included(["ok", "ok"], ["ok"], ["ok"]),
    run: included(["ok", "changed"], ["ok"], ["failed"], ["ok"]),
  });
  assert.deepEqual(differences.groups.map(groupText), [
    { hosts: "host0", tasks: ["Add: failed | ok"], only: [1, 0] },
    { hosts: "host1", tasks: ["Add: changed | ok"], only: [0, 0] },
  ]);
});

Deno.test("different durations are listed, and small differences are not", async () => {
  const timed = (times: Record<string, number>, hosts: string[]): RunEvent[] => [
    play("All"),
    ...Object.entries(times).flatMap(([name, ms], n) => [
      named(name, n + 1),
      ...hosts.map((host) => result(`${name}/${n + 1}`, host, { ended: EPOCH + ms })),
    ]),
  ];
  const base = { Same: 9_000, Bit: 400, Slow: 1_000, Fast: 60_000, Share: 100_000 };
  const { durations, moreDurations } = await compared({
    base: timed({ ...base, Gone: 5_000 }, ["web"]),
    run: timed({ ...base, Bit: 1_300, Slow: 11_000, Fast: 20_000, Share: 109_000 }, ["web", "db"]),
  });
  assert.deepEqual(
    durations.map(({ name, run, base }) => [name, run.ms, base.ms, run.hosts, base.hosts]),
    [["Fast", 20_000, 60_000, 2, 1], ["Slow", 11_000, 1_000, 2, 1]],
  );
  assert.equal(moreDurations, 0);
});

Deno.test("tasks without results are named", async () => {
  await using world = await newWorld();
  const { kv, web: { id } } = world;
  const run = await getTaskRow(kv, id, await reported(world, [play("All")]));
  const silent = await reportedTask(world);
  await silent.end();
  const base = await getTaskRow(kv, id, silent.id);
  const scope = await silent.scope();
  assert.deepEqual(await resultsOf(scope, { run, base }), {
    withoutResults: [base.id],
    differences: null,
  });
});

Deno.test("two tasks with 500 hosts x 200 Ansible tasks are compared with few rows, and listed in part", async () => {
  await using world = await newWorld();
  const { id } = world.web;
  const base = await getTaskRow(world.kv, id, await reported(world, largeRun()));
  const failing = largeRun().map((event): RunEvent =>
    event.type === "result" && event.uuid === "t50" && Number(/\d+/.exec(event.host)) > 99
      ? { ...event, status: "failed", message: `On ${event.host}`, ended: event.ended + 9_000 }
      : event
  );
  const run = await getTaskRow(world.kv, id, await reported(world, failing));
  const { kv, read } = countingReads(world.kv);
  const scope = { ...await (await reportedTask(world)).scope(), deps: { ...world.deps, kv } };
  const { differences } = await resultsOf(scope, { run, base });
  // Some 40 rows of each task, and the same number again for the listed failures.
  assert.ok(read.rows < 200, `${read.rows} rows`);
  const { groups, different, durations } = differences!;
  assert.deepEqual([different, durations.map(({ name }) => name)], [401, ["Task t50"]]);
  assert.equal(groups.reduce((sum, { hosts, more }) => sum + hosts.length + more, 0), 401);
  assert.ok(groups.every(({ hosts }) => hosts.length <= 8), "few of many are named");
  assert.equal(groups[0].differences[0].run?.message, `On ${groups[0].hosts[0].name}`);
});

Deno.test("when there is too much to compare, the worst hosts are compared and the others counted", async () => {
  // One Ansible task, 10,000 times, as an include in a loop has it: 2,010,000 cells.
  const many = (status: "ok" | "failed"): RunEvent[] => [
    play("All"),
    named("Add", 5),
    ...Array.from({ length: 201 }, (_, n) => result("Add/5", `host${n}`)),
    ...Array.from({ length: 9_999 }, (_, n): RunEvent[] => [
      named("Add", 5),
      result("Add/5", "host200", { status: n === 9_998 ? status : "ok" }),
    ]).flat(),
  ];
  const { hosts, notCompared, groups } = await compared({ base: many("ok"), run: many("failed") });
  assert.deepEqual([hosts, notCompared], [201, 1]);
  assert.deepEqual(groups.map(groupText), [
    { hosts: "host200", tasks: ["Add: failed | ok"], only: [0, 0] },
  ]);
});
