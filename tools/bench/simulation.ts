import { join } from "node:path";
import { sleep } from "../../lib/base/time/pause.ts";
import type { EventRow } from "../../lib/events/schema.ts";
import { rowKeys } from "../../lib/store/keys.ts";
import { openStore } from "../../lib/store/file/open_store.ts";
import type { Store } from "../../lib/store/store.ts";
import type { ResultHead } from "../../lib/results/rows.ts";
import type { TaskRow } from "../../lib/model/task_row.ts";
import { newKvServer } from "../../tests/support/server/kv_server.ts";
import { type RealServer, startRealServer } from "../../tests/support/server/real_server.ts";
import { type StoreCost, storeCost } from "./count_store.ts";
import { countUpdates, liveAddress } from "./live.ts";
import { cpuMs } from "./process.ts";
import { newProject } from "./project.ts";
import { addRunners, type RunnerKeys } from "./runner_programs.ts";
import { installScalePlaybook, RESULTS } from "./scale_playbook.ts";

export const RUNNERS = 20;
/** Tasks that are queued or running at a time. */
const OPEN_TASKS = 60;
/** Time in which the tasks of a stage have to end, for each of them. */
const TASK_LIMIT_MS = 2_000;
const STAGE_LIMIT_MS = 60_000;
/** Servers print their costs each second. */
const COUNTED_MS = 1_200;
/** Time until a server that was too busy is asked again. */
const RETRY_MS = 1_000;

/** Processes of an installation, and what they have used so far. */
export interface Simulation extends AsyncDisposable {
  readonly servers: number;
  /** Lets one more server and the runners' programs join. */
  addServer(): Promise<void>;
  openPages(count: number): Promise<void>;
  /** Runs tasks until all have ended. Yields the number of those that have. */
  runTasks(count: number): AsyncIterable<number>;
  spent(): Promise<Spent>;
  /** Throws if a task did not end exactly once, with all of its results. */
  check(): Promise<string>;
}

/** Resources that the processes have used since their start. CPU times are in milliseconds. */
export interface Spent {
  server: StoreCost;
  kv: number;
  /** Programs of the runners, without the processes that they start. */
  runners: number;
  /** Processes that the runners have started. */
  plays: number;
  /** Bytes of the store's file. */
  stored: number;
  /** Updates of open pages. */
  updates: number;
}

/** Starts one server, and no runner yet, on a KV Connect server. */
export async function startSimulation(denokv: string): Promise<Simulation> {
  const home = await Deno.makeTempDir({ prefix: "callboard_simulation_" });
  const service = newKvServer(home, denokv);
  await service.start();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", service.env.DENO_KV_ACCESS_TOKEN);
  const start = await serverStarter(home, service.env);
  const servers: RealServer[] = [await start("server-1")];
  const kv = await openStore(service.env.CALLBOARD_KV);
  const programs = createPrograms(home, await addRunners(service.env.CALLBOARD_KV, RUNNERS));
  const project = await makeProject(servers[0], home);
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  const updates = { count: 0 };

  return {
    get servers() {
      return servers.length;
    },
    async addServer() {
      if (programs.isRunning) servers.push(await start(`server-${servers.length + 1}`));
      await programs.restart(servers);
    },
    async openPages(count) {
      for (let n = 0; n < count; n++) {
        const reader = await openPage(servers[n % servers.length], project.id);
        readers.push(reader);
        countUpdates(reader, updates).catch(reportError);
      }
    },
    async *runTasks(count) {
      const until = performance.now() + STAGE_LIMIT_MS + count * TASK_LIMIT_MS;
      let [open, started] = [0, 0];
      const startNext = () => project.startTask(servers[started++ % servers.length]);
      do {
        const more = Math.min(OPEN_TASKS - open, count - started);
        await Promise.all(Array.from({ length: more }, startNext));
        await sleep(200);
        open = (await Array.fromAsync(kv.list({ prefix: rowKeys.openTasks() }))).length;
        if (performance.now() > until) throw new Error(`${open} tasks did not end in time`);
        yield started - open;
      } while (open > 0 || started < count);
    },
    async spent() {
      await sleep(COUNTED_MS);
      return {
        server: servers.map(readCost).reduce(added),
        kv: await cpuMs(service.pid),
        ...await programs.spent(),
        stored: (await Deno.stat(service.file)).size,
        updates: updates.count,
      };
    },
    check: () => checkTasks(kv, project.id),
    async [Symbol.asyncDispose]() {
      await Promise.all(readers.map((reader) => reader.cancel().catch(() => {})));
      await programs.end();
      await Promise.all(servers.map((server) => server.end("SIGKILL")));
      kv.close();
      await service.kill();
      await Deno.remove(home, { recursive: true });
    },
  };
}

/** Returns a function that starts a server on the service, which counts the calls of its store. */
async function serverStarter(home: string, service: Record<string, string>) {
  const ansibleDir = await installScalePlaybook(join(home, "bin"));
  const env = {
    ...service,
    CALLBOARD_SECRET_KEY: crypto.getRandomValues(new Uint8Array(32)).toBase64(),
    CALLBOARD_ISOLATION: "none",
  };
  const flags = [`--preload=${new URL("count_calls.ts", import.meta.url).pathname}`];
  return (name: string) => startRealServer({ dataDir: join(home, name), ansibleDir, env, flags });
}

/** Creates a project whose tasks run on runners. */
async function makeProject(server: RealServer, home: string) {
  const { projectId: id, git, ...project } = await newProject(server, home, "Scale");
  const path = `/api/project/${id}`;
  await server.api("PUT", path, { name: "Scale", only_runners: true });
  const repositoryId = await project.repository("Playbooks", git.url);
  const template_id = await project.template(
    "Roll out",
    repositoryId,
    await project.environment({}),
  );
  return {
    id,
    async startTask(server: RealServer): Promise<void> {
      const start = () => server.api("POST", `${path}/tasks`, { template_id });
      let { status, body } = await start();
      // The service was too busy to answer in time. The task may have been added nonetheless.
      while (status === 503) {
        await sleep(RETRY_MS);
        ({ status, body } = await start());
      }
      if (status !== 201) throw new Error(`POST ${path}/tasks: ${status} ${JSON.stringify(body)}`);
    },
  };
}

/** Opens the event stream of a dashboard. */
async function openPage({ url, cookie }: RealServer, projectId: number) {
  const get = (path: string) => fetch(new URL(path, url), { headers: { Cookie: cookie } });
  const page = await get(`/project/${projectId}/history`);
  const html = await page.text();
  if (!page.ok) throw new Error(`The history: ${page.status} ${html}`);
  return (await get(liveAddress(html))).body!.getReader();
}

/** The process that runs the programs of all runners. Its CPU times outlast restarts. */
function createPrograms(home: string, runners: RunnerKeys[]) {
  let child: Deno.ChildProcess | null = null;
  const before = { runners: 0, plays: 0 };

  async function spent() {
    if (!child) return { ...before };
    const [own, started] = await cpuOfPrograms(child.pid);
    return { runners: before.runners + own, plays: before.plays + started };
  }

  async function end() {
    if (!child) return;
    Object.assign(before, await spent());
    child.kill("SIGTERM");
    await child.status;
    child = null;
  }

  return {
    get isRunning() {
      return child !== null;
    },
    spent,
    end,
    async restart(servers: RealServer[]) {
      await end();
      const options = join(home, "runner-programs.json");
      const urls = servers.map(({ url }) => ({ url }));
      await Deno.writeTextFile(options, JSON.stringify({ servers: urls, runners, home }));
      child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", new URL("run_runners.ts", import.meta.url).pathname, options],
        stdout: "null",
      }).spawn();
    },
  };
}

/** Returns the CPU time of a process, and that of the processes that it has waited for. */
async function cpuOfPrograms(pid: number): Promise<[own: number, started: number]> {
  const fields = (await Deno.readTextFile(`/proc/${pid}/stat`)).split(") ")[1].split(" ");
  const ticks = (Number(fields[13]) + Number(fields[14])) * 10;
  return [await cpuMs(pid), ticks];
}

/** Returns the latest sums that a server has printed: see count_calls.ts. */
function readCost(server: RealServer): StoreCost {
  const output = server.output();
  const from = output.lastIndexOf("store_cost {");
  return JSON.parse(output.slice(from).split("\n")[0].replace("store_cost ", ""));
}

const added = (a: StoreCost, b: StoreCost): StoreCost => storeCost((name) => a[name] + b[name]);

async function checkTasks(kv: Store, projectId: number): Promise<string> {
  const ends = new Map<number, number>();
  for await (const { value } of kv.list<EventRow>({ prefix: rowKeys.events(projectId) })) {
    const isEnd = value.object_type === "task" && isFinished(value.action);
    if (isEnd) ends.set(value.object_id, (ends.get(value.object_id) ?? 0) + 1);
  }
  let count = 0;
  const wrong: string[] = [];
  for await (const { value: task } of kv.list<TaskRow>({ prefix: rowKeys.tasks(projectId) })) {
    const { id, status, end_reason } = task;
    const head = await kv.get<ResultHead>(rowKeys.taskResultHead(id));
    const { results = 0, complete = false, lost = 0 } = head.value ?? {};
    const isRight = status === "success" && ends.get(id) === 1 && results === RESULTS &&
      complete && lost === 0;
    count++;
    if (isRight) continue;
    const reason = end_reason ? ` (${JSON.stringify(end_reason)})` : "";
    wrong.push(`#${id}: ${status}${reason}, ${ends.get(id) ?? 0} ends, ${results} results`);
  }
  if (wrong.length > 0) {
    throw new Error(`${wrong.length} tasks are wrong, such as ${wrong.slice(0, 5).join("; ")}`);
  }
  const tasks = count.toLocaleString("en");
  return `${tasks} tasks have ended once, as a success with ${RESULTS} results each`;
}

const isFinished = (action: string) => action.startsWith("finished_") || action === "rejected";
