import { type LargeWorld, newLargeWorld } from "./large_world.ts";
import type { Row } from "./measure.ts";
import { projectPages } from "../../tests/support/world/project_pages.ts";
import { cpuMs, residentMb } from "./process.ts";

const [SMALL, LARGE] = [50, 5_000];
const WARM_UP = 10;
/** Requests go on until they took so much CPU time, which Linux counts in hundredths. */
const MEASURED_MS = 150;
const REQUESTS_MAX = 30;
const ROUNDS = 3;
/** V8 returns memory ten seconds after the last page at the latest. */
const SETTLE_MS = 20_000;

/** CPU time and size of a request of a page. */
interface Cost {
  cpuMs: number;
  bytes: number;
}

/** Requests a path, and returns the bytes of the answer. */
async function request({ server }: LargeWorld, path: string): Promise<number> {
  const response = await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } });
  const { byteLength } = await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
  return byteLength;
}

/** Pages and lists, and one list that grows with the project because clients ask for all of it. */
const pagesOf = (world: LargeWorld) => ({
  ...projectPages(world),
  queue: "/queue",
  "API: tasks/last": `/api/project/${world.projectId}/tasks/last`,
  [WHOLE]: `/api/project/${world.projectId}/templates`,
});

const WHOLE = "API: all templates";

async function measure(world: LargeWorld, path: string): Promise<Cost> {
  for (let n = 0; n < WARM_UP; n++) await request(world, path);
  // The server works in the background, too, so the cheapest of some rounds counts.
  const rounds: Cost[] = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await measureRound(world, path));
  return rounds.toSorted((a, b) => a.cpuMs - b.cpuMs)[0];
}

async function measureRound(world: LargeWorld, path: string): Promise<Cost> {
  const before = await cpuMs(world.server.pid);
  let [spent, count, bytes] = [0, 0, 0];
  while (spent < MEASURED_MS && count < REQUESTS_MAX) {
    bytes = await request(world, path);
    count++;
    spent = await cpuMs(world.server.pid) - before;
  }
  return { cpuMs: spent / count, bytes };
}

/** Measures each page of a project with 50 templates and of one with 5,000. */
export async function* measureLarge(): AsyncGenerator<Row> {
  const costs: Map<string, Cost>[] = [];
  for (const count of [SMALL, LARGE]) {
    await using world = await newLargeWorld(count);
    const { pid } = world.server;
    const ofWorld = new Map<string, Cost>();
    // A new server compiles its code first, and the first page measured would pay for the others.
    for (const path of Object.values(pagesOf(world))) await request(world, path);
    for (const [name, path] of Object.entries(pagesOf(world))) {
      ofWorld.set(name, await measure(world, path));
    }
    costs.push(ofWorld);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    yield [`memory after all pages of ${count} templates`, { note: `${await residentMb(pid)} MB` }];
  }
  const [small, large] = costs;
  for (const [name, { cpuMs, bytes }] of large) {
    const before = small.get(name)!;
    const note = `${format(before)} -> ${format({ cpuMs, bytes })}, ${
      (cpuMs / before.cpuMs).toFixed(1)
    } times`;
    yield [name, { note }];
  }
}

const format = ({ cpuMs, bytes }: Cost) => `${cpuMs.toFixed(1)} ms ${Math.round(bytes / 1000)} kB`;
