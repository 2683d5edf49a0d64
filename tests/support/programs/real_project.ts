import assert from "node:assert/strict";
import { join } from "node:path";
import { type RealServer, startRealServer } from "@/tests/support/server/real_server.ts";
import { pauseSince } from "@/tests/support/basics/until.ts";
import type { ApiAnswer } from "@/tests/support/world/world.ts";

/** A project on a real server, with everything in a folder that is removed afterwards. */
export interface RealProject {
  id: number;
  /** A folder for the test's own files. */
  home: string;
  /** The server's own folder. */
  dataDir: string;
  /** The current server. */
  readonly server: RealServer;
  /** Ids of a key of type none, and of an inventory with only this machine. */
  noKey: number;
  localhost: number;
  /** Every answer of the API so far, as text. */
  answers: string[];
  /** Creates an object of the project, such as `keys`, and returns its id. */
  make(kind: string, body: Record<string, unknown>): Promise<number>;
  change(kind: string, id: number, body: Record<string, unknown>): Promise<void>;
  remove(kind: string, id: number): Promise<void>;
  makeTemplate(body: Record<string, unknown>): Promise<number>;
  /** Requests this path of the project from the API. */
  get(path: string): Promise<ApiAnswer["body"]>;
  startTask(templateId: number, input?: Record<string, unknown>): Promise<number>;
  stopTask(taskId: number, force?: boolean): Promise<void>;
  getTask(taskId: number): Promise<ApiAnswer["body"]>;
  /** Waits until the task has one of these statuses. */
  until(taskId: number, statuses: string[], limitMs?: number): Promise<ApiAnswer["body"]>;
  /** Waits for the task's end, and returns the task with all its lines. */
  ended(taskId: number, limitMs?: number): Promise<EndedTask>;
  /** Starts a task and waits for its end. */
  run(templateId: number, input?: Record<string, unknown>): Promise<EndedTask>;
  log(taskId: number): Promise<string>;
  /** Starts the server again on the same folder. */
  restart(how: "SIGTERM" | "SIGKILL", whileDown?: () => Promise<void>): Promise<void>;
  /** All output of the servers. */
  printed(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface EndedTask {
  task: ApiAnswer["body"];
  log: string;
}

const FINISHED = ["success", "error", "stopped"];
const END_LIMIT_MS = 180_000;

export interface RealProjectOptions {
  /** Puts another Ansible than the machine's into a folder, and returns the folder. */
  ansible?: (home: string) => Promise<string>;
  env?: Record<string, string>;
  /** Name of the data folder, below the home. The default is "data". */
  folder?: string;
  /** Called with the path of the data folder before the first start. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Command that starts the server: see `RealServerOptions`. */
  under?: string[];
  /** Client that reaches the server: see `RealServerOptions`. */
  client?: Deno.HttpClient;
}

/** A folder with a real server, which can be started again. */
interface RealHome {
  home: string;
  dataDir: string;
  readonly server: RealServer;
  restart: RealProject["restart"];
  printed: RealProject["printed"];
  end(): Promise<void>;
}

/** The mask of a usual shell. A test that opens a data folder itself leaves a stricter one. */
const UMASK = 0o022;

async function newRealHome(
  { ansible, env, folder = "data", prepare, under, client }: RealProjectOptions,
): Promise<RealHome> {
  Deno.umask(UMASK);
  const home = await Deno.makeTempDir({ prefix: "callboard_real_" });
  const dataDir = join(home, folder);
  const ansibleDir = await ansible?.(home);
  await prepare?.(dataDir);
  const start = () => startRealServer({ dataDir, ansibleDir, env, under, client });
  let server = await start();
  let before = "";
  return {
    home,
    dataDir,
    get server() {
      return server;
    },
    async restart(how, whileDown) {
      const code = await server.end(how);
      if (how === "SIGTERM") assert.equal(code, 0, server.output());
      before += server.output();
      await whileDown?.();
      server = await start();
    },
    printed: () => before + server.output(),
    async end() {
      // A server that a test has killed cannot be ended again.
      await server.end("SIGTERM").catch(() => {});
      await Deno.remove(home, { recursive: true });
    },
  };
}

/** Creates a project on a server of its own. */
export async function newRealProject(options: RealProjectOptions = {}): Promise<RealProject> {
  const realHome = await newRealHome(options);
  return await addProject(realHome, realHome.home, realHome.end);
}

const DEFAULT: RealProjectOptions = {};
const shared = new Map<RealProjectOptions, Promise<RealHome>>();
Deno.test.afterAll(async () => {
  await Promise.all([...shared.values()].map(async (home) => (await home).end()));
  shared.clear();
});

/**
 * Creates a project on the server with these options that the tests of a module share. A start
 * takes more than a second of CPU. A test that restarts the server leaves it running for the next.
 */
export async function addRealProject(options = DEFAULT): Promise<RealProject> {
  const made = shared.get(options) ?? newRealHome(options);
  shared.set(options, made);
  const realHome = await made;
  const folder = join(realHome.home, crypto.randomUUID());
  Deno.umask(UMASK);
  await Deno.mkdir(folder);
  return await addProject(realHome, folder, () => Deno.remove(folder, { recursive: true }));
}

async function addProject(
  realHome: RealHome,
  home: string,
  dispose: () => Promise<void>,
): Promise<RealProject> {
  const answers: string[] = [];

  async function api(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await realHome.server.api(method, path, body);
    answers.push(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    return answer;
  }
  async function create(path: string, body: unknown): Promise<number> {
    const answer = await api("POST", path, body);
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  }
  const id = await create("/api/projects", { name: "Real" });
  const path = (rest: string) => `/api/project/${id}/${rest}`;
  const make = (kind: string, body: Record<string, unknown>) => create(path(kind), body);
  const noKey = await make("keys", { name: "None", type: "none" });
  const localhost = await make("inventory", {
    name: "This machine",
    type: "static",
    inventory:
      "localhost ansible_connection=local ansible_python_interpreter={{ansible_playbook_python}}\n",
    ssh_key_id: noKey,
  });
  async function get(rest: string): Promise<ApiAnswer["body"]> {
    const { status, body } = await api("GET", path(rest));
    assert.equal(status, 200, rest);
    return body;
  }
  const getTask = (taskId: number) => get(`tasks/${taskId}`);
  const log = async (taskId: number) => String(await get(`tasks/${taskId}/raw_output`) ?? "");

  async function until(taskId: number, statuses: string[], limitMs = END_LIMIT_MS) {
    const startedAt = performance.now();
    for (;;) {
      const task = await getTask(taskId);
      if (statuses.includes(task.status)) return task;
      const late = performance.now() - startedAt > limitMs || FINISHED.includes(task.status);
      if (late) throw new Error(`${JSON.stringify(task)}\n${await log(taskId)}`);
      await pauseSince(startedAt, 100, 300);
    }
  }
  const ended = async (taskId: number, limitMs?: number) => ({
    task: await until(taskId, FINISHED, limitMs),
    log: await log(taskId),
  });
  const startTask = (template_id: number, input = {}) => make("tasks", { template_id, ...input });

  return {
    id,
    home,
    dataDir: realHome.dataDir,
    noKey,
    localhost,
    answers,
    get server() {
      return realHome.server;
    },
    make,
    async change(kind, id, body) {
      const answer = await api("PUT", path(`${kind}/${id}`), body);
      assert.equal(answer.status, 204, `${kind} ${id}: ${JSON.stringify(answer.body)}`);
    },
    async remove(kind, id) {
      const { status, body } = await api("DELETE", path(`${kind}/${id}`));
      assert.equal(status, 204, JSON.stringify(body));
    },
    makeTemplate: (body) =>
      make("templates", { name: "Work", playbook: "site.yml", inventory_id: localhost, ...body }),
    get,
    startTask,
    async stopTask(taskId, force = false) {
      const { status } = await api("POST", path(`tasks/${taskId}/stop`), { force });
      assert.equal(status, 204);
    },
    getTask,
    until,
    ended,
    run: async (templateId, input) => await ended(await startTask(templateId, input)),
    log,
    restart: realHome.restart,
    printed: realHome.printed,
    [Symbol.asyncDispose]: dispose,
  };
}
