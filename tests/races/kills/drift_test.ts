import assert from "node:assert/strict";
import { join } from "node:path";
import { outbox } from "@/tests/support/services/alerting.ts";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import type { DriftSummary } from "@/lib/drift/rows.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const HOSTS = 300;
const CHECKS = 12;
const KILLS = Number(Deno.env.get("KILLS") ?? 8);

const drifted: Partial<HostResult> = { status: "changed", changed: true, diff: "-a\n+b\n" };

/** Whether a host differs in a check. Hosts begin and cease to differ at different checks. */
const differs = (host: number, check: number) => (host + check) % 7 < check % 5;
const isThere = (host: number, check: number) => check % 4 !== 3 || host % 10 !== 0;

/** Creates checks that have ended, but whose states are not stored. */
async function leaveChecks(world: World): Promise<void> {
  for (let check = 0; check < CHECKS; check++) {
    const run = await reportedTask(world, { check: true });
    const at = EPOCH + check * 60_000;
    await run.report(play("Web"), task("motd", at));
    for (let host = 0; host < HOSTS; host++) {
      if (!isThere(host, check)) continue;
      const more = differs(host, check) ? drifted : {};
      await run.report(result("motd", `web${host}`, { began: at, ended: at + 1, ...more }));
    }
    await run.report({ type: "end", at, lost: 0, checkMode: [] });
    await run.end("success", { end: new Date(at + 2).toISOString() });
  }
}

const valuesOf = async (kv: Store, prefix: Deno.KvKey) =>
  await Array.fromAsync(kv.list({ prefix }), ({ key, value }) => [
    key,
    value instanceof Deno.KvU64 ? value.value : value,
  ]);

/** Returns all that is stored about drift, and the alerts about it. */
async function driftOf({ kv, web, deploy }: World) {
  const alerts = (await outbox({ kv })).filter(({ kind }) => kind === "drift")
    .map(({ at: _, ...alert }) => JSON.stringify(alert)).toSorted();
  const summary = await kv.get<DriftSummary>(rowKeys.driftSummary(web.id, deploy.id));
  return {
    states: await valuesOf(kv, rowKeys.driftOf(web.id, deploy.id)),
    lists: await valuesOf(kv, rowKeys.driftBy(web.id, deploy.id)),
    counts: await valuesOf(kv, ["drift_counts", web.id]),
    summary: summary.value,
    alerts,
  };
}

const startServer = async (file: string): Promise<Deno.ChildProcess> => {
  const script = new URL("../../support/programs/drift_server.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--config=deno.json", "--lock=tests/deno.lock", "-A", "--no-check"],
      ...["--unstable-kv", script, file],
    ],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  reader.releaseLock();
  return child;
};

Deno.test("two servers that are killed again and again store each observation and alert once", async () => {
  await using expected = await newWorld();
  await leaveChecks(expected);
  await storeDueDrift(expected.deps);

  const folder = await Deno.makeTempDir({ prefix: "callboard_drift_" });
  const kvPath = join(folder, "callboard.kv");
  const servers: Promise<Deno.ChildProcess>[] = [];
  try {
    await using world = await newWorld({ kvPath });
    await leaveChecks(world);
    servers.push(startServer(kvPath), startServer(kvPath));
    await Promise.all(servers);
    const left = () => valuesOf(world.kv, rowKeys.jobsOfKind("drift"));
    let killed = 0;
    for (; killed < KILLS && (await left()).length > 0; killed++) {
      await new Promise((done) => setTimeout(done, 10 + Math.random() * 50));
      const old = await servers.shift()!;
      old.kill("SIGKILL");
      await old.status;
      // The other one is killed before this one has begun.
      servers.push(startServer(kvPath));
    }
    await until(async () => (await left()).length === 0);
    assert.ok(killed >= 2, `only ${killed} servers were killed before all was stored`);
    const [stored, wanted] = [await driftOf(world), await driftOf(expected)];
    assert.equal(wanted.states.length, HOSTS);
    assert.ok(wanted.alerts.length > 2);
    assert.deepEqual(stored, wanted);
  } finally {
    for (const server of servers) {
      const child = await server;
      child.kill("SIGKILL");
      await child.status;
    }
    await Deno.remove(folder, { recursive: true });
  }
});
