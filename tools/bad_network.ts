import { newFarRunner, requireComplete, standIn } from "../tests/support/programs/far_runner.ts";
import { crashRunners } from "../tests/support/kills/crash_runners.ts";
import { hostsOf } from "../tests/support/programs/many_plays.ts";
import { until } from "../tests/support/basics/until.ts";
import { formatRow, times } from "./bench/measure.ts";
import { say } from "../scripts/console.ts";
import { runScript } from "../scripts/run_script.ts";

const USAGE = `Measures a runner whose network or server fails.

  deno run -A tools/bad_network.ts network      Long plays over a link that cuts connections
  deno run -A tools/bad_network.ts away [300]   A play whose server is away for so many seconds
  deno run -A tools/bad_network.ts kills [60]   Kills of the server, the runner or both
  deno run -A tools/bad_network.ts times [40]   Times until a task starts, and until it stops`;

const LIMIT_MS = 60 * 60_000;
const CUT = { delayMs: 50, cutMs: 200 };
/** A handshake of TLS takes another round trip. */
const CUT_TLS = { delayMs: 50, cutMs: 500 };

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Runs real plays over links that cut connections, and compares what is stored. */
async function network(): Promise<void> {
  const hosts = Array.from({ length: 50 }, (_, n) => `web${n}`);
  const tasks = Array.from({ length: 200 }, (_, n) => `    - debug: msg=${n}\n`).join("");
  const head = "- hosts: all\n  gather_facts: false\n  strategy: free\n  tasks:\n";
  const plays = [
    { name: "50,000 lines", site: `${head}    - debug: msg="{{ range(50000) | list }}"\n` },
    { name: "50 hosts x 200 tasks", site: head + tasks, inventory: hostsOf(...hosts) },
  ];
  for (const { name, site, inventory } of plays) {
    for (const tls of [false, true]) {
      await using far = await newFarRunner({ plays: site, inventory, real: true, tls });
      far.link.become(tls ? CUT_TLS : CUT);
      const startedAt = performance.now();
      const id = await far.project.startTask(far.templateId);
      await requireComplete(far, id, LIMIT_MS);
      const { lines, results } = await sizesOf(far, id);
      const { opened, cut } = far.link.counts;
      say(
        `${name}${tls ? " over TLS" : ""}: ${seconds(performance.now() - startedAt)}, ` +
          `${lines} lines, ${results} results; cut ${cut} of ${opened} connections`,
      );
    }
  }
}

async function sizesOf({ project }: Awaited<ReturnType<typeof newFarRunner>>, id: number) {
  const lines = (await project.log(id)).split("\n").length;
  const { results } = await project.get(`tasks/${id}/results_summary`);
  return { lines, results };
}

/** Kills the server during a play, and starts it again after a while. */
async function away(forSeconds: number): Promise<void> {
  await using far = await newFarRunner();
  const lines = Math.round(forSeconds * 20);
  const id = await far.project.startTask(far.templateId, standIn(lines, 60));
  await until(async () => (await far.project.log(id)).includes("item=5)"));
  const killedAt = performance.now();
  await far.project.restart(
    "SIGKILL",
    () => new Promise((done) => setTimeout(done, forSeconds * 1000)),
  );
  const backAt = performance.now();
  await requireComplete(far, id, LIMIT_MS);
  say(
    `The server was away for ${seconds(backAt - killedAt)} of a play with ${lines} lines, which ` +
      `went on for ${seconds(performance.now() - backAt)}. Nothing is lost.`,
  );
}

/** Measures the time from a call of the API to what it does on the runner. */
async function measureTimes(count: number): Promise<void> {
  await using far = await newFarRunner();
  const { project, templateId } = far;
  const started: number[] = [];
  const stopped: Record<string, number[]> = { stop: [], "force stop": [] };
  for (let n = 0; n < count; n++) {
    const force = n % 2 === 1;
    const before = (await far.begun())?.pid;
    const calledAt = Date.now();
    const id = await project.startTask(templateId, standIn(1_000, 100));
    await until(async () => ![undefined, before].includes((await far.begun())?.pid));
    const { pid, at } = (await far.begun())!;
    started.push(at - calledAt);
    await project.until(id, ["running"]);
    const stopAt = performance.now();
    await project.stopTask(id, force);
    await ended(pid);
    stopped[force ? "force stop" : "stop"].push(performance.now() - stopAt);
    await project.ended(id);
  }
  say(formatRow());
  say(formatRow(["POST of a task to its process on the runner", times(started)]));
  for (const [name, values] of Object.entries(stopped)) {
    say(formatRow([`${name} to the end of the process`, times(values)]));
  }
}

async function ended(pid: number): Promise<void> {
  while (await Deno.stat(`/proc/${pid}`).catch(() => null)) {
    await new Promise((done) => setTimeout(done, 2));
  }
}

async function main([what, number]: string[]): Promise<void> {
  const of = (usual: number) => Number(number ?? usual);
  if (what === "network") return await network();
  if (what === "away") return await away(of(300));
  if (what === "times") return await measureTimes(of(40));
  if (what === "kills") return await crashRunners(of(60), say);
  say(USAGE);
}

await runScript(() => main(Deno.args));
