import { join } from "node:path";
import { sleep } from "../../lib/base/pause.ts";
import { conceal } from "../../lib/base/secret.ts";
import { openStore } from "../../lib/kv/open_store.ts";
import { noIsolation } from "../../lib/execution/process/isolation.ts";
import { runEnvironment } from "../../lib/execution/run/environment.ts";
import { startProgram } from "../../lib/runner/program/program.ts";
import { newRunnerKeys } from "../../lib/runner/seal.ts";
import { newRunner } from "../../lib/runners/new_runner.ts";
import { putRunner } from "../../lib/runners/repository.ts";
import { newRunnerToken } from "../../lib/runners/tokens.ts";
import { type RealServer, startRealServer } from "../../tests/support/real_server.ts";
import { until } from "../../tests/support/until.ts";
import { perSecond, type Row } from "./measure.ts";
import { cpuMs, residentMb } from "./process.ts";
import { installPlaybook } from "./playbook.ts";
import { newProject } from "./project.ts";

const IDLE_RUNNERS = 200;
const WORKING_RUNNERS = 20;
const TASKS = 400;
const SETTLE_MS = 20_000;
const WATCHED_MS = 90_000;

const FACTS = {
  version: "bench",
  platform: "linux/x64",
  ansible: "ansible-playbook [core 2.19.14]",
  isolation: "none",
  slots: 1,
};

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

/** A registered runner, as its program knows itself. */
interface RunnerKeys {
  runnerId: number;
  token: string;
  privateKey: JsonWebKey;
}

async function addRunners(path: string, count: number): Promise<RunnerKeys[]> {
  const kv = await openStore(path);
  const created = new Date().toISOString();
  const placement = { project_id: null, project_ids: [], labels: [], max_parallel_tasks: 0 };
  const added = await Promise.all(Array.from({ length: count }, async (_, n) => {
    const runnerId = n + 1;
    const { publicKey: public_key, privateKey } = await newRunnerKeys();
    const { text: token, hash: token_hash } = newRunnerToken("runner", runnerId);
    const row = newRunner(runnerId, { name: `r${n}`, description: "", ...placement }, created);
    const op = kv.atomic();
    putRunner(op, { ...row, public_key, token_hash, facts: FACTS, registered: created });
    await op.commit();
    return { runnerId, token, privateKey };
  }));
  kv.close();
  return added;
}

/** Starts the programs of runners in this process. Returns a function that ends them. */
function startRunners(server: RealServer, runners: RunnerKeys[], home: string) {
  const programs = runners.map(({ runnerId, token, privateKey }) =>
    startProgram({
      environment: {
        ...runEnvironment(
          { dataDir: join(home, `runner-${runnerId}`), stopGraceMs: 2_000, taskTimeLimitMs: 0 },
          noIsolation,
          Deno.env,
        ),
        ansible: { playbook: join(home, "bin", "ansible-playbook"), galaxy: "/bin/false" },
      },
      target: { server: server.url.replace(/\/$/, ""), token: conceal(token), caCerts: [] },
      runnerId,
      privateKey,
      log() {},
      facts: FACTS,
      tokens: { issued: Date.now(), keep: () => Promise.resolve() },
      once: false,
      drainMs: 1_000,
      onStatus() {},
    })
  );
  return async () => {
    programs.forEach((program) => program.drain());
    await Promise.all(programs.map(({ ended }) => ended));
  };
}

async function* measureIdle(
  server: RealServer,
  runners: RunnerKeys[],
  home: string,
): AsyncGenerator<Row> {
  await sleep(SETTLE_MS);
  const before = await residentMb(server.pid);
  const end = startRunners(server, runners, home);
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
  const end = startRunners(server, runners, home);
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
