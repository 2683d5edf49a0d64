import { join } from "node:path";
import { openStore } from "../../lib/store/file/open_store.ts";
import {
  installStandIn,
  type RealServer,
  startRealServer,
} from "../../tests/support/server/real_server.ts";
import { writeHistory } from "../../tests/support/world/history.ts";
import { readTask } from "./history.ts";
import { newProject } from "./project.ts";

/** A server with one project, whose size follows from the number of its templates. */
export interface LargeWorld {
  server: RealServer;
  projectId: number;
  /** Ids of its templates. */
  templates: number[];
  scheduleId: number;
  workflowId: number;
  keyId: number;
  /** Its latest task. */
  taskId: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Calls of the API that are made in parallel. */
const CLIENTS = 8;
/** A tenth of the templates have a schedule. Each has about five tasks. */
const SCHEDULED = 10;
const TASKS_PER_TEMPLATE = 4.8;

/**
 * Starts a server whose project has `count` templates, with schedules and finished tasks. All but
 * the tasks are created through the API, so that their rows are those of the product.
 */
export async function newLargeWorld(count: number): Promise<LargeWorld> {
  const home = await Deno.makeTempDir({ prefix: "callboard_large_" });
  const options = {
    dataDir: join(home, "data"),
    ansibleDir: await installStandIn(join(home, "bin")),
  };
  const seeding = await startRealServer(options);
  const made = await makeProject(seeding, home, count);
  await seeding.end("SIGTERM");
  const taskId = await addTasks(options.dataDir, made);
  const server = await startRealServer(options);
  return {
    server,
    ...made,
    taskId,
    async [Symbol.asyncDispose]() {
      await server.end("SIGTERM");
      await Deno.remove(home, { recursive: true });
    },
  };
}

async function makeProject(server: RealServer, home: string, count: number) {
  const project = await newProject(server, home, "Large");
  const { projectId, git } = project;
  const below = `/api/project/${projectId}`;
  const create = async (path: string, body: unknown): Promise<number> => {
    const answer = await server.api("POST", `${below}/${path}`, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const repositoryId = await project.repository("Plays", git.url);
  const environmentId = await project.environment({});
  const templates = await inParallel(
    count,
    (n) => project.template(`Service ${n} of the shop`, repositoryId, environmentId),
  );
  const [scheduleId] = await inParallel(Math.ceil(count / SCHEDULED), (n) =>
    create("schedules", {
      template_id: templates[n * SCHEDULED % count],
      name: `Schedule ${n}`,
      cron_format: "0 3 1 1 *",
      active: true,
    }));
  const workflowId = await create("workflows", { name: "Roll out", steps: [] });
  const first = await project.startTask(templates[0]);
  await ended(server, projectId, first);
  const [{ id: keyId }] = (await server.api("GET", `${below}/keys`)).body;
  return { projectId, templates, scheduleId, workflowId, keyId, first };
}

/** Makes `count` calls, and returns their results in order. */
async function inParallel<T>(count: number, call: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const n = next++;
      results[n] = await call(n);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return results;
}

async function ended(server: RealServer, projectId: number, taskId: number): Promise<void> {
  for (;;) {
    const { body } = await server.api("GET", `/api/project/${projectId}/tasks/${taskId}`);
    if (["success", "error", "stopped"].includes(body.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Stores copies of the first task, and returns the id of the latest. */
async function addTasks(
  dataDir: string,
  { projectId, templates, first }: Awaited<ReturnType<typeof makeProject>>,
): Promise<number> {
  const model = await readTask(dataDir, projectId, first);
  using kv = await openStore(join(dataDir, "callboard.kv"));
  const changes = Array.from(
    { length: Math.round(templates.length * TASKS_PER_TEMPLATE) },
    (_, n) => ({
      template_id: templates[n % templates.length],
      template_name: `Service ${n % templates.length} of the shop`,
      status: n % 20 === 0 ? "error" as const : "success" as const,
    }),
  );
  const tasks = await writeHistory(kv, model, changes);
  return tasks.at(-1)!.id;
}
