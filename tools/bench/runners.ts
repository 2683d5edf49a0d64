import { join } from "node:path";
import { sleep } from "../../lib/base/time/pause.ts";
import { type RealServer, startRealServer } from "../../tests/support/server/real_server.ts";
import { until } from "../../tests/support/basics/until.ts";
import { perSecond, type Row } from "./measure.ts";
import { cpuMs, residentMb } from "./process.ts";
import { installPlaybook } from "./playbook.ts";
import { newProject } from "./project.ts";
import { addRunners, type RunnerKeys, startRunners } from "./runner_programs.ts";

const IDLE_RUNNERS = 200;
const WORKING_RUNNERS = 20;
const TASKS = 400;
const SETTLE_MS = 20_000;
const WATCHED_MS = 90_000;

/** Measures what runners cost the server: while they wait, and while they run tasks. */
export async function* measureRunners(): AsyncGenerator<Row> {
  const home = await Deno.makeTempDir({ prefix: "callboard_runners_" });
  const options = {
    dataDir: join(home, "data"),
    ansibleDir: await installPlaybook(join(home, "bin")),
  };
  try {
    await (await startRealServer(options)).end("SIGTERM");
    const keys = await addRunners(join(options.dataDir, "callboard.kv"), IDLE_RUNNERS);
    const server = await startRealServer(options);
    try {
      yield* measureIdle(server, keys, home);
      yield await measureTasks(server, keys.slice(0, WORKING_RUNNERS), home);
    } finally {
      await server.end("SIGTERM");
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function* measureIdle(
  server: RealServer,
  runners: RunnerKeys[],
  home: string,
): AsyncGenerator<Row> {
  await sleep(SETTLE_MS);
  const before = await residentMb(server.pid);
  const end = startRunners([server], runners, home);
  await sleep(SETTLE_MS);
  const cpuBefore = await cpuMs(server.pid);
  await sleep(WATCHED_MS);
  const share = (await cpuMs(server.pid) - cpuBefore) / WATCHED_MS * 100;
  yield [`${runners.length} idle runners: CPU time of the server`, {
    note: `${share.toFixed(2)} % of a core`,
  }];
  yield [`${runners.length} idle runners: memory of the server`, {
    note: `${await residentMb(server.pid) - before} MB more than the ${before} MB without them`,
  }];
  await end();
}

/** Measures from the first request to the end of the last task. */
async function measureTasks(
  server: RealServer,
  runners: RunnerKeys[],
  home: string,
): Promise<Row> {
  const project = await newProject(server, home, "Runners");
  const repositoryId = await project.repository("Git", project.git.url);
  const environmentId = await project.environment({ BENCH_NOOP: "1" });
  const templateId = await project.template("Nothing", repositoryId, environmentId);
  const path = `/api/project/${project.projectId}`;
  await server.api("PUT", path, { name: "Runners", only_runners: true });
  const end = startRunners([server], runners, home);
  const cpuBefore = await cpuMs(server.pid);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: TASKS }, () => project.startTask(templateId)));
  await until(async () => {
    await sleep(100);
    const { body } = await server.api("GET", "/api/tasks");
    return body.length === 0;
  }, 600_000);
  const durationMs = performance.now() - startedAt;
  const cpu = (await cpuMs(server.pid) - cpuBefore) / TASKS;
  await end();
  return [`${TASKS} tasks that do nothing on ${runners.length} runners of one machine`, {
    rate: perSecond(TASKS, durationMs),
    note: `${cpu.toFixed(0)} ms of CPU time of the server for each`,
  }];
}
