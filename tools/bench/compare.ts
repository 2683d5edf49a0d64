import { sleep } from "../../lib/base/time/pause.ts";
import { costOfEach, type StoreCost, storeCost } from "./count_store.ts";
import type { Row } from "./measure.ts";
import { RUNNERS, type Simulation, type Spent, startSimulation } from "./simulation.ts";

const SERVERS = 3;
const PAGES = 200;
const IDLE_SECONDS = 30;
/** Share of the tasks that each number of servers runs without pages. The pages see the rest. */
const SHARE = 0.15;
/** Tasks after which the number of ended ones is printed. */
const PART = 250;

/** Costs that the model predicts. */
export interface Predicted {
  /** A task on a runner with the lines and results of the simulated play. */
  runnerTask: StoreCost;
  /** A second of an idle runner. */
  idleRunner: StoreCost;
  /** A second of an open page while nothing happens. */
  idlePage: StoreCost;
  /** An update of an open page. */
  update: StoreCost;
}

/** Simulates an installation, and compares what it costs with what the model predicts. */
export async function* simulate(
  predicted: Predicted,
  { tasks, denokv }: { tasks: number; denokv: string },
): AsyncGenerator<Row> {
  await using simulation = await startSimulation(denokv);
  const share = Math.ceil(tasks * SHARE);
  let idle: Cost | null = null;
  while (simulation.servers < SERVERS || idle === null) {
    const base: Cost = idle ?? await measureIdle(simulation, 1);
    await simulation.addServer();
    for await (const _ of simulation.runTasks(RUNNERS)); // New processes compile their code first.
    if (idle === null) {
      idle = base;
      yield* compare(
        `a second of each of ${RUNNERS} idle runners`,
        predicted.idleRunner,
        less(await measureIdle(simulation, RUNNERS), base, RUNNERS),
      );
    }
    yield* measureTasks(simulation, share, predicted, "");
  }
  const before = await measureIdle(simulation, PAGES);
  await simulation.openPages(PAGES);
  const after = await measureIdle(simulation, PAGES);
  yield* compare(
    `a second of each of ${PAGES} idle pages`,
    predicted.idlePage,
    less(after, before),
  );
  const rest = tasks - SERVERS * share;
  yield* measureTasks(simulation, rest, predicted, `, ${PAGES} open pages`);
  yield ["check", { note: await simulation.check() }];
}

/** Cost of one thing in each part of the installation. */
interface Cost {
  server: StoreCost;
  kv: number;
  runners: number;
  plays: number;
  stored: number;
  updates: number;
}

function costOf(before: Spent, after: Spent, count: number): Cost {
  const each = (name: Exclude<keyof Cost, "server">) => (after[name] - before[name]) / count;
  return {
    server: costOfEach(count, before.server, after.server),
    kv: each("kv"),
    runners: each("runners"),
    plays: each("plays"),
    stored: each("stored"),
    updates: each("updates"),
  };
}

const plus = (a: StoreCost, b: StoreCost, times: number): StoreCost =>
  storeCost((name) => a[name] + b[name] * times);

/** Subtracts the costs that `parts` things share. */
const less = (cost: Cost, base: Cost, parts = 1): Cost => ({
  ...cost,
  server: storeCost((name) => cost.server[name] - base.server[name] / parts),
  kv: cost.kv - base.kv / parts,
});

async function measureIdle(simulation: Simulation, things: number): Promise<Cost> {
  await sleep(2_000);
  const before = await simulation.spent();
  const startedAt = performance.now();
  await sleep(IDLE_SECONDS * 1000);
  const after = await simulation.spent();
  return costOf(before, after, things * (performance.now() - startedAt) / 1000);
}

async function* measureTasks(
  simulation: Simulation,
  count: number,
  { runnerTask, update }: Predicted,
  suffix: string,
): AsyncGenerator<Row> {
  const before = await simulation.spent();
  const startedAt = performance.now();
  const rate = (ended: number) =>
    `${(ended / (performance.now() - startedAt) * 1000).toFixed(1)}/s`;
  let next = PART;
  for await (const ended of simulation.runTasks(count)) {
    if (ended < next || ended === count) continue;
    next = ended + PART;
    yield [`  ${ended.toLocaleString("en")} so far`, { rate: rate(ended) }];
  }
  const total = rate(count);
  const cost = costOf(before, await simulation.spent(), count);
  const servers = simulation.servers === 1 ? "1 server" : `${simulation.servers} servers`;
  yield [`${count.toLocaleString("en")} tasks, ${servers}${suffix}`, { rate: total }];
  yield* compare("  each of them", plus(runnerTask, update, cost.updates), cost);
}

function* compare(name: string, predicted: StoreCost, measured: Cost): Generator<Row> {
  const { server, kv, runners, plays, stored, updates } = measured;
  yield [`${name}, predicted`, { note: noteOf(predicted) }];
  const others =
    `CPU of the KV service ${kv.toFixed(2)} ms, of runners ${runners.toFixed(2)} ms, ` +
    `of plays ${plays.toFixed(2)} ms; file ${(stored / 1000).toFixed(2)} kB; ` +
    `${updates.toFixed(1)} updates of pages`;
  yield [`${name}, measured`, { note: `${noteOf(server)}; ${others}` }];
}

export const noteOf = ({ reads, commits, changes, bytes, cpu }: StoreCost) =>
  `${reads.toFixed(2)} reads, ${commits.toFixed(2)} commits of ${changes.toFixed(1)} rows, ` +
  `${(bytes / 1000).toFixed(2)} kB, ${cpu.toFixed(2)} ms CPU`;
