import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import type { JobRow } from "@/lib/jobs/rows.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { createStore, type Store } from "@/lib/store/store.ts";
import { type JobServer, newJobClock, startJobServer } from "@/tests/support/server/job_servers.ts";
import {
  effectKey,
  type KindRun,
  newKindRun,
  partsOf,
  type SeenJob,
} from "@/tests/support/server/job_run.ts";
import { denokv, newKvServer } from "@/tests/support/server/kv_server.ts";
import { type Fate, type Plan, plan, REASONS } from "@/tests/support/server/random_jobs.ts";

const RUNS = Number(Deno.env.get("FC_RUNS") ?? 5);
const SEED = Number(Deno.env.get("FC_SEED") ?? 20_261_128);
/** Time until all jobs are done or set aside, whatever happens beside them. */
const SETTLE_MS = 30_000;
/** Longer than a lease. */
const LEASE_OVER_MS = 31_000;

/** The end of a server, which another one replaces. */
interface ServerEnd {
  server: number;
  atMs: number;
  isKilled: boolean;
}

/** Does all jobs of a plan with a server on each database, and checks what has become of each. */
async function tryPlan(databases: Deno.Kv[], plan: Plan, ends: ServerEnd[]): Promise<void> {
  const isCalm = ends.length === 0;
  const kv = createStore(databases[0]);
  const clock = newJobClock();
  const deps = { kv, clock, log() {} };
  const kinds = plan.kinds.map((kind, n) => newKindRun(kind, `kind ${n}`, isCalm));
  await beginFates(kv, plan);
  await eachJob(
    kinds,
    (planned) => planned.afterMs === 0,
    (kind, job, n) => kind.put(deps, job, n),
  );
  const shared = databases.length > 1;
  const workers = kinds.map(({ worker }) => worker);
  const start = (database: Deno.Kv) => startJobServer(database, clock, workers, shared);
  const servers = databases.map(start);
  const all = [...servers];
  const wakeAll = () => all.forEach((server) => server.wake());
  await Promise.all([
    eachJob(kinds, (planned) => planned.afterMs > 0, async (kind, job, n) => {
      await sleep(job.afterMs);
      await kind.put(deps, job, n);
    }),
    sleep(plan.fatesMs).then(() => endFates(kv, plan)),
    ...kinds.map((kind) => sleep(kind.plan.heldMs).then(() => kind.release(kv))),
    ...ends.map(async ({ server, atMs, isKilled }) => {
      await sleep(atMs);
      const old = servers[server];
      if (isKilled) old.kill();
      else await old.stop();
      all.push(servers[server] = start(databases[server]));
      if (shared) clock.advance(LEASE_OVER_MS);
      wakeAll();
    }),
  ]);
  await settle(kv, () => {
    if (isCalm) return;
    clock.advance(LEASE_OVER_MS);
    wakeAll();
  });
  await Promise.all(all.map((server) => server.stop()));
  await Promise.all(kinds.map((kind) => kind.settled()));
  requireNoTrouble(kinds, all, plan.fates);
  for (const kind of kinds) await requireEnds(kv, kind, plan.fates, isCalm);
  clock.advance(10 * LEASE_OVER_MS);
  for (const { worker } of kinds) await doDue(deps, worker, { shared: true });
  await requireNoOrphans(kv);
}

const eachJob = async (
  kinds: KindRun[],
  fits: (job: SeenJob["plan"]) => boolean,
  put: (kind: KindRun, job: SeenJob["plan"], n: number) => Promise<void>,
) => {
  await Promise.all(
    kinds.flatMap((kind) => kind.plan.jobs.map((job, n) => fits(job) ? put(kind, job, n) : null)),
  );
};

/** Stores the projects as they are at first. */
async function beginFates(kv: Store, { fates }: Plan): Promise<void> {
  for (const [n, fate] of fates.entries()) {
    const row = { id: n + 1, ...(fate === "goes" || fate === "returns") && { deleting: true } };
    if (fate !== "is_gone") await kv.set(rowKeys.project(n + 1), row);
  }
}

async function endFates(kv: Store, { fates }: Plan): Promise<void> {
  for (const [n, fate] of fates.entries()) {
    if (fate === "goes") await kv.delete(rowKeys.project(n + 1));
    if (fate === "returns") await kv.set(rowKeys.project(n + 1), { id: n + 1 });
  }
}

const listJobs = (kv: Store) =>
  Array.fromAsync(
    kv.list<JobRow>({ prefix: rowKeys.jobs() }),
    ({ key, value }) => ({ key, value }),
  );

/** Waits until no job is left that something will happen with. */
async function settle(kv: Store, goOn: () => void): Promise<void> {
  const begunAt = performance.now();
  let wokenAt = begunAt;
  for (;;) {
    const left = (await listJobs(kv)).filter(({ value }) => value.set_aside === undefined);
    if (left.length === 0) return;
    const now = performance.now();
    const late = left.map(({ key, value: { input, ...row } }) => [key, "name" in input, row]);
    assert.ok(now - begunAt < SETTLE_MS, `not done: ${JSON.stringify(late)}`);
    await sleep(20);
    if (now - wokenAt < 1_000) continue;
    wokenAt = now;
    goOn();
  }
}

/** Fails if an attempt was made that should not be, or if a server could not store an end. */
function requireNoTrouble(kinds: KindRun[], servers: JobServer[], fates: Fate[]): void {
  for (const { plan, jobs, begun, faults } of kinds) {
    assert.deepEqual(faults, []);
    if (!plan.inOrder) continue;
    // Jobs of a project that is being deleted wait for a time of their own.
    const inOrder = begun.filter((name) => {
      const { afterMs, project } = jobs.get(name)!.plan;
      return afterMs === 0 && fateOf(project, fates) === "stays";
    });
    const groups = Map.groupBy(inOrder, (name) => {
      const { project, group } = jobs.get(name)!.plan;
      return `${project} ${group}`;
    });
    for (const group of groups.values()) assert.deepEqual(group, group.toSorted());
  }
  const errors = new Set(servers.flatMap((server) => server.errors));
  assert.deepEqual([...errors].filter((event) => !EXPECTED.includes(event)), []);
}

const EXPECTED = ["job_failed", "job_not_told"];

/** Fails unless each job of a kind was done once, or was set aside with the reason. */
async function requireEnds(
  kv: Store,
  run: KindRun,
  fates: Fate[],
  isCalm: boolean,
): Promise<void> {
  for (const [name, seen] of run.jobs) {
    const row = seen.id === null
      ? null
      : (await kv.get<JobRow>(rowKeys.job(run.kind.name, seen.id))).value;
    const effects = await effectsOf(kv, run.kind.name, name);
    const about = JSON.stringify({
      ...{ name, seen, row, effects, kind: { ...run.plan, jobs: [] } },
    }, (key, value) => key === "padding" ? value.length : value);
    assert.ok(Object.values(effects).every((count) => count === 1), `done twice: ${about}`);
    const expected = expectedEnd(run, seen, fates);
    if (expected.mayVary) continue;
    const reason = row?.failure?.reason.key ?? null;
    const isExcused = seen.isSlow ||
      !isCalm && [reason, ...seen.told].includes("errors.jobs.interrupted");
    assert.ok(isExcused || reason === expected.reason, `${expected.reason} ${about}`);
    assert.equal(row?.set_aside !== undefined, reason !== null, about);
    if (isExcused) continue;
    assert.deepEqual(Object.keys(effects).toSorted(), expected.parts.toSorted(), about);
    if (isCalm) assert.deepEqual([seen.runs, seen.told], [expected.runs, expected.told], about);
    else assert.deepEqual(seen.told.slice(0, 1), expected.told, about);
  }
}

const fateOf = (project: number | null, fates: Fate[]): Fate =>
  project === null ? "stays" : fates[project - 1];

interface ExpectedEnd {
  /** The reason why it is set aside; null if it has ended. */
  reason: string | null;
  parts: string[];
  runs: number;
  told: string[];
  /** Whether this depends on when its project was deleted. */
  mayVary?: boolean;
}

function expectedEnd(run: KindRun, { plan, id }: SeenJob, fates: Fate[]): ExpectedEnd {
  const { attempts, tells, isUnique } = run.plan;
  const { project, failures, end } = plan;
  const fate = fateOf(project, fates);
  const nothing = { reason: null, parts: [], runs: 0, told: [] };
  if (id === null || fate === "is_gone") return nothing;
  if (fate === "goes") return { ...nothing, mayVary: true };
  if (plan.isForeign) return { ...nothing, reason: "errors.jobs.invalid" };
  if (end && failures.length < attempts) {
    const isTwice = end === "comes_again" || end === "is_put_again" && isUnique;
    const runs = failures.length + 1 + (isTwice ? 1 : 0);
    return { ...nothing, parts: partsOf(run, end), runs };
  }
  const last = failures[attempts - 1] ?? failures.at(-1)!;
  const reason = REASONS[last];
  const told = tells ? [reason] : [];
  return { ...nothing, reason: tells === "told" ? null : reason, runs: attempts, told };
}

async function effectsOf(kv: Store, kind: string, name: string): Promise<Record<string, number>> {
  const prefix = effectKey(kind, name, "").slice(0, -1);
  const rows = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix }));
  return Object.fromEntries(rows.map(({ key, value }) => [key.at(-1), Number(value.value)]));
}

/** Fails if a row of the index has no job, or a job no row of the index. */
async function requireNoOrphans(kv: Store): Promise<void> {
  const due = await Array.fromAsync(kv.list({ prefix: rowKeys.jobsDue() }), ({ key }) => key);
  assert.deepEqual(due, []);
  const idsOf = (keys: Deno.KvKey[]) =>
    keys.map(([_rows, kind, id]) => `${String(kind)} ${String(id)}`);
  const setAside = kv.list({ prefix: rowKeys.jobsSetAside() });
  assert.deepEqual(
    idsOf(await Array.fromAsync(setAside, ({ key }) => key)),
    idsOf((await listJobs(kv)).map(({ key }) => key)),
  );
}

const endsOf = (servers: number): fc.Arbitrary<ServerEnd[]> =>
  fc.array(
    fc.record({
      server: fc.nat(servers - 1),
      atMs: fc.integer({ min: 20, max: 800 }),
      isKilled: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  );

const tryPlans = (open: () => Promise<Deno.Kv[]>, ends: fc.Arbitrary<ServerEnd[]>, runs = RUNS) =>
  fc.assert(
    fc.asyncProperty(plan, ends, async (plan, ends) => {
      const databases = await open();
      await tryPlan(databases, plan, ends);
      for (const database of new Set(databases)) database.close();
    }),
    { numRuns: runs, seed: SEED, endOnFailure: true },
  );

const inMemory = (servers: number) => async () =>
  Array<Deno.Kv>(servers).fill(await Deno.openKv(":memory:"));

const NAME = "no job blocks others, runs twice, or fails without a reason";
const calm = fc.constant<ServerEnd[]>([]);

Deno.test(`${NAME}, on one server`, () => tryPlans(inMemory(1), calm));
Deno.test(`${NAME}, on two servers`, () => tryPlans(inMemory(2), calm));
Deno.test(`${NAME}, if a server dies`, () => tryPlans(inMemory(1), endsOf(1)));
Deno.test(`${NAME}, if servers die beside others`, () => tryPlans(inMemory(2), endsOf(2)));

Deno.test({ name: `${NAME}, over KV Connect`, ignore: !denokv }, async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_jobs_" });
  const token = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  const service = newKvServer(folder);
  try {
    await service.start();
    Deno.env.set("DENO_KV_ACCESS_TOKEN", service.env.DENO_KV_ACCESS_TOKEN);
    const open = () => Deno.openKv(service.env.CALLBOARD_KV);
    await tryPlans(async () => [await open(), await open()], endsOf(2), 1);
  } finally {
    if (token === undefined) Deno.env.delete("DENO_KV_ACCESS_TOKEN");
    else Deno.env.set("DENO_KV_ACCESS_TOKEN", token);
    await service.kill();
    await Deno.remove(folder, { recursive: true });
  }
});
