import { openLab, pause, type SoakLab } from "./soak/lab.ts";
import { followAsleep, type Follower, followSocket, followStream } from "./soak/followers.ts";
import { watchHeap } from "./soak/heap.ts";
import { say } from "../scripts/console.ts";

/**
 * Keeps a server of its own busy and prints its memory after each garbage collection: `deno task
 * soak [minutes] [tasks]`. Exits with 1 when the memory grows.
 */
const MINUTES = Number(Deno.args[0] ?? 10);
const TASKS = Number(Deno.args[1] ?? 50 * MINUTES);
const MEASURES = 20;
/** Share of the time that is not counted, because code is compiled and caches fill at first. */
const WARM_SHARE = 0.25;
/** Growth in bytes per minute that is not noise. */
const GROWTH_BYTES_MAX = 256 * 1024;

const startedAt = performance.now();
const minutes = () => (performance.now() - startedAt) / 60_000;
const over = () => minutes() >= MINUTES;

/** Runs tasks one after the other, spread over the whole time. */
async function runTasks(lab: SoakLab): Promise<number> {
  let made = 0;
  while (!over()) {
    if (made < TASKS * minutes() / MINUTES) {
      await lab.startTask(lab.gitTemplateId);
      made++;
    } else await pause(50);
  }
  return made;
}

/** Has three of a kind at any time. The oldest leaves when a new one comes. */
async function comeAndGo(come: () => Promise<Follower>, stayMs: number) {
  const there: Follower[] = [];
  let [count, bytes] = [0, 0];
  const leave = async () => {
    const follower = there.shift()!;
    await follower.leave();
    bytes += follower.bytes;
  };
  while (!over()) {
    there.push(await come());
    count++;
    if (there.length > 3) await leave();
    await pause(stayMs / 3);
  }
  while (there.length > 0) await leave();
  return { count, bytes };
}

/** Stays from the beginning to the end, beside those that come and leave. */
async function stay(come: () => Promise<Follower>) {
  const follower = await come();
  while (!over()) await pause(200);
  await follower.leave();
  return { count: 1, bytes: follower.bytes };
}

async function lookAtPages({ server, projectId, longTaskId, gitTemplateId }: SoakLab) {
  const project = `/project/${projectId}`;
  const task = `${project}/tasks/${longTaskId}`;
  const pages = [
    `${project}/history`,
    `${project}/templates`,
    `${project}/templates/${gitTemplateId}`,
    `${project}/activity`,
    `${project}/history?t=${longTaskId}`,
    `/api${task}/output?limit=500`,
  ];
  let count = 0;
  for (; !over(); count++) {
    const path = pages[count % pages.length];
    const response = await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await response.body!.pipeTo(new WritableStream());
    await pause(250);
  }
  return { count, bytes: 0 };
}

async function measureHeap({ server }: SoakLab): Promise<[minute: number, bytes: number][]> {
  const heap = await watchHeap(server.output());
  const measured: [number, number][] = [];
  const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1).padStart(7)} MB`;
  for (let n = 0; n <= MEASURES; n++) {
    while (minutes() < MINUTES * n / MEASURES) await pause(100);
    const { heapBytes, outsideBytes } = await heap.measure();
    const rss = await residentBytes(server.pid);
    measured.push([minutes(), heapBytes + outsideBytes]);
    const at = `${minutes().toFixed(1).padStart(5)} min`;
    say(`${at}  heap ${mb(heapBytes)}  buffers ${mb(outsideBytes)}  resident ${mb(rss)}`);
  }
  heap.close();
  return measured;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

await using lab = await openLab(MINUTES * 60);
const { server, projectId, longTaskId } = lab;
const page = `/project/${projectId}/tasks/${longTaskId}`;
const events = `/api${page}/events`;
const followed = {
  "event streams read from start to end": stay(() => followStream(server, events)),
  "sockets read from start to end": stay(() => followSocket(server)),
  "event streams opened and closed": comeAndGo(() => followStream(server, events), 3_000),
  "sockets opened and closed": comeAndGo(() => followSocket(server), 2_000),
  "pages opened and closed": comeAndGo(() => followStream(server, page), 5_000),
  "readers that stop reading": comeAndGo(() => followAsleep(server, events), 10_000),
  "pages and lists loaded": lookAtPages(lab),
};
const [measured, tasks] = await Promise.all([
  measureHeap(lab),
  runTasks(lab),
  ...Object.values(followed),
]);
say(`\n${tasks} tasks`);
for (const [name, work] of Object.entries(followed)) {
  const { count, bytes } = await work;
  say(`${count} ${name}${bytes > 0 ? `, ${(bytes / 2 ** 20).toFixed(0)} MB` : ""}`);
}
const warm = measured.filter(([minute]) => minute >= MINUTES * WARM_SHARE);
const slope = slopeOf(warm);
say(`Growth after the first quarter: ${(slope / 1024).toFixed(0)} KB per minute.`);
const flat = slope <= GROWTH_BYTES_MAX;
say(flat ? "Memory is flat." : "Memory grows.");
Deno.exitCode = flat ? 0 : 1;

/** Returns the slope of the straight line that fits the points best. */
function slopeOf(points: [x: number, y: number][]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sum = (of: (dx: number, dy: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x - x0, y - y0), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}
