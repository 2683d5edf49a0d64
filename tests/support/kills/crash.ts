import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import {
  installStandIn,
  type RealServer,
  startRealServer,
} from "@/tests/support/server/real_server.ts";

const SECRET = "hunter2-in-a-file";
/** Number of lines that a run prints, and the pause before each: about 0.6 s in all. */
const [LINES, PAUSE_MS] = [20, 30];
/** Number of parallel tasks, and number of tasks queued each time, so that some wait. */
const [PARALLEL, QUEUED] = [2, 4];
const GRACE_SECONDS = 1;
const SETTLE_MS = 20_000;

/** State at one kill, and its results. */
interface Round {
  killedAfterMs: number;
  /** How the open tasks ended. */
  ends: Record<string, number>;
}

/**
 * Kills a real server in the middle of runs, `rounds` times at random moments. Throws when
 * something is left behind: an open task, a process, a file with a secret, a queue that does not
 * move.
 */
export async function crash(rounds: number, report: (round: Round) => void = () => {}) {
  const home = await Deno.makeTempDir({ prefix: "callboard_crash_" });
  const options = {
    dataDir: join(home, "data"),
    ansibleDir: await installStandIn(join(home, "bin")),
    env: { CALLBOARD_STOP_GRACE_SECONDS: String(GRACE_SECONDS) },
  };
  let server = await startRealServer(options);
  try {
    const project = await makeProject(server, home);
    for (let round = 0; round < rounds; round++) {
      // The build comes first, so that it is finished or almost finished when the server is killed.
      const [build] = await queueTasks(server, project, 1, project.buildId);
      const tasks = [build, ...await queueTasks(server, project, QUEUED)];
      const killedAfterMs = Math.round(Math.random() * (LINES * PAUSE_MS + 300));
      await pause(killedAfterMs);
      await server.end("SIGKILL");
      // Every other time the next start has to clean up. Otherwise processes must end on their own.
      if (round % 2 === 0) await requireNoProcess(options.dataDir, SETTLE_MS);
      server = await startRealServer(options);
      await requireNoProcessOfBefore(server, options.dataDir, tasks);
      const ends = await requireEnds(server, project, tasks);
      await requireOneDeploy(server, project, build);
      await requireQueueGoesOn(server, project);
      await requireNoSecret(options.dataDir);
      report({ killedAfterMs, ends });
    }
  } catch (error) {
    throw new Error(`After this output of the server:\n${server.output()}`, { cause: error });
  } finally {
    await server.end("SIGTERM");
    await Deno.remove(home, { recursive: true });
  }
}

interface Project {
  id: number;
  templateId: number;
  buildId: number;
  /** Deploys each build automatically. */
  deployId: number;
}

/** Creates a project whose template runs the stand-in with every kind of secret. */
async function makeProject(server: RealServer, home: string): Promise<Project> {
  const make = async (path: string, body: Record<string, unknown>): Promise<number> => {
    const answer = await server.api("POST", path, body);
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const git = await newGitRepository(join(home, "repository"));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  const id = await make("/api/projects", { name: "Crash", max_parallel_tasks: PARALLEL });
  const below = `/api/project/${id}`;
  const keyId = await make(`${below}/keys`, {
    name: "Everything",
    type: "login_password",
    login_password: { login: "root", password: SECRET },
  });
  const noKeyId = await make(`${below}/keys`, { name: "Nothing", type: "none" });
  const template = {
    name: "Work",
    playbook: "site.yml",
    inventory_id: await make(`${below}/inventory`, {
      name: "Hosts",
      type: "static",
      inventory: "localhost ansible_connection=local\n",
      ssh_key_id: keyId,
      become_key_id: keyId,
    }),
    repository_id: await make(`${below}/repositories`, {
      name: "Playbooks",
      git_url: git.url,
      git_branch: "main",
      ssh_key_id: noKeyId,
    }),
    environment_id: await make(`${below}/environment`, {
      name: "Settings",
      json: "{}",
      env: JSON.stringify({
        CALLBOARD_STAND_IN_LINES: String(LINES),
        CALLBOARD_STAND_IN_SLEEP_MS: String(PAUSE_MS),
        CALLBOARD_STAND_IN_DUMP: "1",
      }),
      secrets: [{ type: "var", name: "token", secret: SECRET, operation: "create" }],
    }),
    vaults: [{ vault_key_id: keyId, name: null }],
    allow_parallel_tasks: true,
  };
  const templates = `${below}/templates`;
  const templateId = await make(templates, template);
  const build = { ...template, name: "Build", type: "build", start_version: "1" };
  const buildId = await make(templates, build);
  const deploy = { type: "deploy", build_template_id: buildId, autorun: true };
  const deployId = await make(templates, { ...template, name: "Deploy", ...deploy });
  return { id, templateId, buildId, deployId };
}

async function queueTasks(
  server: RealServer,
  { id, ...project }: Project,
  count: number,
  templateId = project.templateId,
) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const answer = await server.api("POST", `/api/project/${id}/tasks`, {
      template_id: templateId,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    ids.push(answer.body.id);
  }
  return ids;
}

/** Waits until all tasks have ended. None may end for another reason than its own or the kill. */
async function requireEnds(server: RealServer, { id }: Project, tasks: number[]) {
  const ends: Record<string, number> = {};
  for (const task of tasks) {
    const { status, output } = await waitForEnd(server, id, task);
    const interrupted = status === "error" && output.includes("interrupted by a restart");
    assert.ok(status === "success" || interrupted, `task ${task}: ${status}\n${output}`);
    requireNoGap(output);
    const end = interrupted ? "interrupted" : status;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

/** Requires that the stored lines of a play are the first ones that it has printed. */
function requireNoGap(output: string) {
  const items = [...output.matchAll(/item=(\d+)/g)].map(([, number]) => Number(number));
  assert.deepEqual(items, items.map((_, n) => n + 1));
}

async function waitForEnd(server: RealServer, projectId: number, task: number) {
  const path = `/api/project/${projectId}/tasks/${task}`;
  const startedAt = Date.now();
  for (;;) {
    const { body } = await server.api("GET", path);
    if (["success", "error", "stopped"].includes(body.status)) {
      const records = (await server.api("GET", `${path}/output`)).body as { output: string }[];
      const output = records.map(({ output }) => output).join("\n");
      return { status: body.status as string, output };
    }
    assert.ok(Date.now() - startedAt < SETTLE_MS, `task ${task} is still ${body.status}`);
    await pause(50);
  }
}

/** Requires that a successful build is deployed automatically once, and another one never. */
async function requireOneDeploy(server: RealServer, { id, deployId }: Project, build: number) {
  const { status } = (await server.api("GET", `/api/project/${id}/tasks/${build}`)).body;
  const path = `/api/project/${id}/templates/${deployId}/tasks`;
  const wanted = status === "success" ? 1 : 0;
  const startedAt = Date.now();
  for (;;) {
    const tasks = (await server.api("GET", path)).body as { id: number; build_task_id: number }[];
    const deploys = tasks.filter(({ build_task_id }) => build_task_id === build);
    assert.ok(deploys.length <= wanted, `build ${build}, ${status}: ${deploys.length} deploys`);
    if (deploys.length === wanted) {
      for (const deploy of deploys) await waitForEnd(server, id, deploy.id);
      return;
    }
    assert.ok(Date.now() - startedAt < SETTLE_MS, `build ${build} was not deployed`);
    await pause(50);
  }
}

async function requireQueueGoesOn(server: RealServer, project: Project) {
  const [task] = await queueTasks(server, project, 1);
  assert.equal((await waitForEnd(server, project.id, task)).status, "success");
}

/** Returns the command lines of processes that name the data folder, except those of a server. */
export async function listProcesses(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    const line = text.replaceAll("\0", " ");
    if (line.includes(dataDir) && !line.includes("server/serve.js")) found.push(line);
  }
  return found;
}

async function requireNoProcess(dataDir: string, withinMs: number) {
  const startedAt = Date.now();
  for (;;) {
    const processes = await listProcesses(dataDir);
    if (processes.length === 0) return;
    assert.ok(Date.now() - startedAt < withinMs, `still there:\n${processes.join("\n")}`);
    await pause(50);
  }
}

/** Allows processes of tasks that are open again. A process of any other task was left behind. */
async function requireNoProcessOfBefore(server: RealServer, dataDir: string, tasks: number[]) {
  const active = new Set<number>();
  for (const task of await listOpen(server)) active.add(task);
  const lines = await listProcesses(dataDir);
  for (const task of tasks.filter((task) => !active.has(task))) {
    const orphans = lines.filter((line) => line.includes(`/tasks/${task}/`));
    assert.deepEqual(orphans, [], `task ${task} has ended`);
  }
}

async function listOpen(server: RealServer): Promise<number[]> {
  const { body } = await server.api("GET", "/api/projects");
  const open: number[] = [];
  for (const { id } of body) {
    const tasks = (await server.api("GET", `/api/project/${id}/tasks`)).body;
    for (const { id, status } of tasks) {
      if (!["success", "error", "stopped"].includes(status)) open.push(id);
    }
  }
  return open;
}

async function requireNoSecret(dataDir: string) {
  await requireNoProcess(dataDir, SETTLE_MS);
  const { stdout } = await new Deno.Command("grep", {
    args: ["--recursive", "--files-with-matches", "--text", "--", SECRET, dataDir],
  }).output();
  assert.equal(new TextDecoder().decode(stdout), "", "files with a secret");
  const left = await Array.fromAsync(Deno.readDir(join(dataDir, "tasks")));
  assert.deepEqual(left.map(({ name }) => name), [], "task directories");
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
