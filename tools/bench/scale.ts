import { join } from "node:path";
import { sleep } from "../../lib/base/time/pause.ts";
import { waitFor } from "../../lib/queue/remote/polls.ts";
import { denokv as installed, newKvServer } from "../../tests/support/server/kv_server.ts";
import { newQueue, type Queue } from "../../tests/support/server/queue.ts";
import { largeRun } from "../../tests/support/world/large_run.ts";
import { reportedTask, result, task } from "../../tests/support/world/reported_task.ts";
import { until } from "../../tests/support/basics/until.ts";
import { noteOf, type Predicted, simulate } from "./compare.ts";
import { RUNNERS } from "./simulation.ts";
import { DENOKV_FOLDER } from "../denokv.ts";
import { countOpened, measuring, type StoreCost, storeCost } from "./count_store.ts";
import { countUpdates, liveAddress, type Updates } from "./live.ts";
import type { Row } from "./measure.ts";
import { measureRunners } from "./runner_costs.ts";
import { RESULTS as RESULTS_OF_PLAY } from "./scale_playbook.ts";

const built = join(DENOKV_FOLDER, "bin", "denokv");
const denokv = installed ?? (await Deno.stat(built).then(() => built, () => undefined));

const TASKS = 50;
const LINES = 20_000;
const RESULTS = 20_000;
const PAGES = 20;
/** Slow plays at a time, so that the process itself costs little in comparison. */
const PLAYS = 20;
/** Time for which something idle or slow is watched. */
const WATCHED_SECONDS = 10;

/** Measured inputs of the model. */
interface Inputs extends Omit<Predicted, "idleRunner"> {
  /** A task that runs no more than an instant. */
  task: StoreCost;
  lines1000: StoreCost;
  results1000: StoreCost;
  /** A second of a task that reports ten lines and ten results in it. */
  second: StoreCost;
  page: StoreCost;
  /** A poll of a runner, when nothing happens. */
  poll: StoreCost;
}

/** Calls that a store answers in a second. */
interface Store {
  name: string;
  reads: number;
  commits: number;
}

/** Measures what tasks and pages cost, and what a store carries. Then says what follows. */
export async function* measureScale({ tasks }: { tasks: number }): AsyncGenerator<Row> {
  const inputs = await measureInputs();
  for (const [name, cost] of Object.entries(NAMES)) {
    yield [cost, { note: noteOf(inputs[name as keyof Inputs]) }];
  }
  for await (const store of measureStores()) {
    yield [`${store.name}: reads and commits`, {
      note: `${round(store.reads)} reads/s, ${round(store.commits)} commits/s`,
    }];
    yield predict(inputs, store);
  }
  if (!denokv) {
    yield ["simulation", { note: "left out: `deno task test-shared` builds denokv" }];
    return;
  }
  // An idle runner polls again when the server has held its poll.
  const idleRunner = storeCost((name) => inputs.poll[name] / waitFor(RUNNERS) * 1000);
  yield* simulate({ ...inputs, idleRunner }, { tasks, denokv });
}

const NAMES: Record<keyof Inputs, string> = {
  task: "a task of a stand-in for Ansible",
  lines1000: "1,000 lines at full speed",
  results1000: "1,000 results at full speed",
  second: "a second of a play with 10 lines and 10 results",
  page: "opening the dashboard",
  idlePage: "a second of an idle live dashboard",
  update: "an update of a live dashboard",
  runnerTask: `a task on a runner with ${RESULTS_OF_PLAY} results`,
  poll: "a poll of an idle runner",
};

async function measureInputs(): Promise<Inputs> {
  const plays = await measurePlays();
  const runners = await measureRunners();
  const measured = measuring(countOpened());
  await using queue = await newQueue();
  const { world } = queue;
  const templateId = await queue.makeTemplate({ allow_parallel_tasks: true });
  queue.dispatch();
  const ended = () =>
    world.messages.filter((message) => message.type === "update" && message.end !== null).length;
  async function runTasks(count: number) {
    const before = ended();
    await Promise.all(Array.from({ length: count }, () => queue.start(templateId)));
    await until(() => ended() === before + count);
  }
  await runTasks(5); // A first task fetches the repository.
  const task = await measured(TASKS, () => runTasks(TASKS));
  const history = `/project/${world.web.id}/history`;
  const open = async () => await (await world.get("alice", history)).text();
  const html = await open();
  const page = await measured(PAGES, async () => {
    for (let n = 0; n < PAGES; n++) await open();
  });
  const updates = { count: 0 };
  const pages = await openPages(queue, html, updates);
  await seconds(2); // Each stream begins with what it missed.
  const idlePage = await measured(PAGES * WATCHED_SECONDS, () => seconds(WATCHED_SECONDS));
  updates.count = 0;
  const followed = await measured(TASKS, () => runTasks(TASKS));
  await Promise.all(pages.map((reader) => reader.cancel()));
  return {
    task,
    page,
    idlePage,
    update: storeCost((name) => Math.max(0, followed[name] - task[name]) * TASKS / updates.count),
    ...plays,
    ...runners,
  };
}

/** Measures reports of a play in a queue that does not move, because no server runs the play. */
async function measurePlays() {
  const measured = measuring(countOpened());
  await using queue = await newQueue();
  const { world } = queue;
  const run = await reportedTask(world);
  const line = (n: number) => `ok: [web${n % 50}.example.com] => (item=/etc/callboard/${n}.conf)`;
  const lines1000 = await measured(LINES / 1000, async () => {
    for (let n = 0; n < LINES; n++) await run.output.write(line(n));
    await run.output.flush();
  });
  const events = [...largeRun()].slice(0, RESULTS);
  const results1000 = await measured(RESULTS / 1000, async () => {
    await run.report(...events);
    await run.flush();
  });
  const runs = await Promise.all(Array.from({ length: PLAYS }, () => reportedTask(world)));
  const second = await measured(
    PLAYS * WATCHED_SECONDS,
    () => Promise.all(runs.map(reportSlowly)),
  );
  return { lines1000, results1000, second };
}

/** Reports ten lines and ten results a second. Plays do not report in step. */
async function reportSlowly({ output, report, flush }: Awaited<ReturnType<typeof reportedTask>>) {
  await seconds(Math.random());
  for (let n = 0; n < 10 * WATCHED_SECONDS; n++) {
    if (n % 10 === 0) await report(task(`slow ${n / 10}`));
    await output.write(`ok: [web${n % 10}.example.com]`);
    await report(result(`slow ${Math.floor(n / 10)}`, `web${n % 10}.example.com`));
    await seconds(0.1);
  }
  await flush();
}

/** Opens the event stream of a page as many times, and reads what it brings. */
async function openPages({ world }: Queue, html: string, updates: Updates) {
  const live = liveAddress(html);
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (let n = 0; n < PAGES; n++) {
    const reader = (await world.get("alice", live)).body!.getReader();
    readers.push(reader);
    countUpdates(reader, updates).catch(reportError);
  }
  return readers;
}

const seconds = (count: number) => sleep(count * 1000);

const CALLS = 2_000;
/** Calls in parallel, as by several servers. */
const CLIENTS = 16;

/** Measures a store that is a file and, if `denokv` is installed, a KV Connect server. */
async function* measureStores(): AsyncGenerator<Store> {
  const directory = await Deno.makeTempDir({ prefix: "callboard_scale_" });
  try {
    yield await measureStore("a file", await Deno.openKv(`${directory}/file.kv`));
    if (!denokv) return;
    const server = newKvServer(directory, denokv);
    await server.start();
    try {
      Deno.env.set("DENO_KV_ACCESS_TOKEN", server.env.DENO_KV_ACCESS_TOKEN);
      yield await measureStore("a KV Connect server", await Deno.openKv(server.env.CALLBOARD_KV));
    } finally {
      await server.kill();
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function measureStore(name: string, kv: Deno.Kv): Promise<Store> {
  const text = "x".repeat(500);
  const rate = async (call: (n: number) => Promise<unknown>) => {
    let left = CALLS;
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) await call(left);
    }));
    return CALLS / (performance.now() - startedAt) * 1000;
  };
  const commits = await rate((n) =>
    kv.atomic().set(["scale", n], text).set(["scale_index", n], n).set(["scale_head"], n).commit()
  );
  const reads = await rate((n) => kv.get(["scale", n]));
  kv.close();
  return { name, reads, commits };
}

/** Seconds of an everyday play, which reports ten lines and ten results in each. */
const PLAY_SECONDS = 60;

/** Returns how many plays a store and one server carry at a time, by what limits them. */
function predict({ task, second }: Inputs, store: Store): Row {
  const ofPlay = (name: keyof StoreCost) => second[name] + task[name] / PLAY_SECONDS;
  const limits = [
    { by: "commits", plays: store.commits / ofPlay("commits") },
    { by: "reads", plays: store.reads / ofPlay("reads") },
    { by: "a core of a server", plays: 1000 / ofPlay("cpu") },
  ].toSorted((a, b) => a.plays - b.plays);
  const texts = limits.map(({ by, plays }) => `${round(plays)} by ${by}`);
  return [`plays that ${store.name} carries at a time`, { note: texts.join(", ") }];
}

const round = (value: number) => Math.round(value).toLocaleString("en");
