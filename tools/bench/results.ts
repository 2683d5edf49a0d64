import { spawn } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { eventReader } from "../../lib/execution/ansible/results/event_reader.ts";
import { createLineMarkers } from "../../lib/execution/log/markers.ts";
import { runLog } from "../../lib/execution/log/run_log.ts";
import { resultCollector } from "../../lib/results/collector.ts";
import { pathWithAnsible } from "../ansible_path.ts";
import type { Row } from "./measure.ts";

const CALLBACKS = fileURLToPath(new URL("../../lib/execution/ansible/callback", import.meta.url));
const LOCAL = 'ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"';
const PAIRS = 5;

interface Play {
  name: string;
  hosts: number;
  tasks: number;
}

const PLAYS: Play[] = [
  { name: "1 host x 60 tasks", hosts: 1, tasks: 60 },
  { name: "20 local hosts x 5 tasks", hosts: 20, tasks: 5 },
];

/**
 * Runs real plays with and without the callback, in turn, to measure how much longer they take with
 * it.
 */
export async function* measureResults(): AsyncGenerator<Row> {
  const directory = await Deno.makeTempDir({ prefix: "callboard_bench_" });
  try {
    const place = { directory, path: await pathWithAnsible() };
    for (const play of PLAYS) yield await measurePlay(place, play);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** The folder and the PATH for plays. */
interface Place {
  directory: string;
  path: string;
}

async function measurePlay(place: Place, { name, hosts, tasks }: Play): Promise<Row> {
  const { directory } = place;
  const inventory = Array.from({ length: hosts }, (_, n) => `host-${n} ${LOCAL}\n`).join("");
  const steps = Array.from(
    { length: tasks },
    (_, n) => `    - name: Step ${n}\n      command: "true"\n`,
  );
  await Deno.writeTextFile(`${directory}/hosts`, inventory);
  await Deno.writeTextFile(
    `${directory}/site.yml`,
    `- hosts: all\n  gather_facts: false\n  tasks:\n${steps.join("")}`,
  );
  await runPlay(place, false); // The first play reads and compiles files, so it does not count.
  const measured: [silent: Cost, telling: Cost][] = [];
  for (let n = 0; n < PAIRS; n++) {
    const first = n % 2 === 1;
    const costs = [await runPlay(place, first), await runPlay(place, !first)];
    measured.push(first ? [costs[1], costs[0]] : [costs[0], costs[1]]);
  }
  const more = (of: keyof Cost) => {
    const shares = measured.map(([silent, telling]) => telling[of] / silent[of] - 1);
    const [least, middle, most] = [0, 0.5, 1].map((share) => percent(quantile(shares, share)));
    return `${middle} (${least} to ${most})`;
  };
  const total = measured.at(-1)![1].results;
  return [`results of a play, ${name}`, {
    note: `${more("ms")} time, ${more("cpuMs")} CPU, ${total} results, ${PAIRS} pairs`,
  }];
}

const percent = (share: number) => `${share < 0 ? "" : "+"}${(share * 100).toFixed(1)} %`;
const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];

interface Cost {
  ms: number;
  cpuMs: number;
  results: number;
}

/** Runs one play and reads its output as the server does. */
async function runPlay({ directory, path }: Place, tells: boolean): Promise<Cost> {
  const markers = createLineMarkers();
  const { pipe, mask } = runLog([], () => {});
  const collector = resultCollector();
  const output = pipe(() => {}, tells ? markers : undefined);
  const events = eventReader({
    mask,
    markers,
    allWaiting: { length: 0 },
    onEvent: collector.take,
  });
  const times = `${directory}/times`;
  const script = 'ansible-playbook -i hosts site.yml 2>&1; code=$?; times >"$1"; exit $code';
  const variables = { ANSIBLE_CALLBACK_PLUGINS: CALLBACKS, CALLBOARD_RESULTS: "3" };
  const startedAt = performance.now();
  const child = spawn("sh", ["-c", script, "sh", times], {
    cwd: directory,
    env: {
      ...Deno.env.toObject(),
      PATH: path,
      PYTHONUNBUFFERED: "1",
      ANSIBLE_FORCE_COLOR: "1",
      ...(tells ? variables : {}),
    },
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const reports = child.stdio[3] as Duplex;
  // A play without the callback would not read the line, and end the connection with an error.
  if (tells) reports.write(`${markers.marker}\n`);
  const read = async (stream: Readable, take: (chunk: Uint8Array) => unknown) => {
    for await (const chunk of stream) await take(chunk);
  };
  await Promise.all([read(child.stdout!, output.write), read(reports, events.write)]);
  const code = await ended;
  const ms = performance.now() - startedAt;
  if (code !== 0) throw new Error("the play of the benchmark failed");
  await output.end();
  await events.end();
  return { ms, cpuMs: await readTimes(times), results: collector.head().results };
}

/** Returns the user and system time of a shell's children, from the second line of its `times`. */
async function readTimes(path: string): Promise<number> {
  const [, children] = (await Deno.readTextFile(path)).split("\n");
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return 1000 * seconds.reduce((sum, value) => sum + value, 0);
}
