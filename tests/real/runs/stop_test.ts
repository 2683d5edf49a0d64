import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { startRunnerOf } from "@/tests/support/server/real_runner.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Different in each process, since other tests run at the same time. */
const SECRET = `in the middle of a module: ${crypto.randomUUID()}`;

/** Ends only when it is killed. */
const STUBBORN = `- hosts: all
  gather_facts: false
  tasks:
    - name: Stubborn
      shell: "trap '' TERM; echo $$ > {{ started }}; while true; do sleep 0.2; done"
      args:
        stdin: "{{ secret }}"
`;

const GRACE = { CALLBOARD_STOP_GRACE_SECONDS: "1" };

const OPTIONS = {
  env: { ...GRACE, CALLBOARD_DRAIN_SECONDS: "0", CALLBOARD_MAX_PARALLEL_TASKS: "0" },
};

/** Starts a server that accepts connections and never sends anything. */
function listenSilently() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) connections.push(connection);
  })();
  return {
    port: listener.addr.port,
    connections,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const connection of connections) connection.close();
    },
  };
}

async function newEnvironment({ make, home }: RealProject): Promise<number> {
  return await make("environment", {
    name: "Settings",
    json: JSON.stringify({ started: join(home, "started-{{ callboard_vars.task_details.id }}") }),
    secrets: [{ type: "var", name: "secret", secret: SECRET, operation: "create" }],
  });
}

async function newTemplate(
  project: RealProject,
  name: string,
  git_url: string,
  environment_id: number,
  runner_tag = "",
): Promise<number> {
  const repository_id = await project.make("repositories", {
    name,
    git_url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  return await project.makeTemplate({
    name,
    repository_id,
    environment_id,
    runner_tag,
    allow_parallel_tasks: true,
  });
}

/** Time limit on a busy machine. */
const SETTLE_MS = 30_000;

/**
 * Requires that the processes end, and waits, because those that end their children may need a
 * moment.
 */
async function requireNoProcess(folder: string, pid: number, limitMs: number) {
  const left = () => findProcesses(folder, [pid]);
  await until(() => left().length === 0, limitMs).catch(() => assert.deepEqual(left(), []));
}

/** Fails if a task has left something in the folder of the server or runner with that process. */
async function requireNothingLeft(dataDir: string, pid: number) {
  await requireNoProcess(dataDir, pid, SETTLE_MS);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(join(dataDir, "tasks"))), []);
  // Folder where Ansible puts the modules that it runs on this machine.
  const modules = join(userInfo().homedir, ".ansible", "tmp");
  const { stdout } = await new Deno.Command("grep", {
    args: ["--recursive", "--files-with-matches", "--text", "--", SECRET, dataDir, modules],
    stderr: "null",
  }).output();
  assert.equal(new TextDecoder().decode(stdout), "", "files with a secret");
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

/** Waits until the task's play is at the point where it does not end on its own. */
async function untilStubborn({ home, getTask, log }: RealProject, task: number) {
  await until(async () => {
    const { status } = await getTask(task);
    assert.ok(["waiting", "starting", "running"].includes(status), await log(task));
    return await exists(join(home, `started-${task}`));
  }, 30_000);
}

for (const where of ["server", "runner"] as const) {
  Deno.test(`a stop ends a task in every phase, and leaves nothing: on a ${where}`, async () => {
    await using silence = listenSilently();
    await using project = await addRealProject(OPTIONS);
    const { home, server, startTask, stopTask, ended } = project;
    const settings = { ...GRACE, CALLBOARD_RUNNER_MAX_PARALLEL: "3" };
    await using runner = where === "runner" ? await startRunnerOf(project, "dmz", settings) : null;
    const tag = runner ? "dmz" : "";
    const url = `git://127.0.0.1:${silence.port}`;
    const environment = await newEnvironment(project);
    const stubborn = await newGitRepository(join(home, "stubborn"));
    await stubborn.commit({ "site.yml": STUBBORN }, "Stubborn");
    const needy = await newGitRepository(join(home, "needy"));
    const far = `${url.replace("git", "http")}/far.tar.gz`;
    const requirements = `roles:\n  - name: far\n    src: ${far}\n`;
    await needy.commit({ "site.yml": STUBBORN, "requirements.yml": requirements }, "Needy");

    const templates = [
      await newTemplate(project, "git", `${url}/playbooks.git`, environment, tag),
      await newTemplate(project, "galaxy", needy.url, environment, tag),
      await newTemplate(project, "playbook", stubborn.url, environment, tag),
    ];
    for (const force of [false, true]) {
      const before = silence.connections.length;
      const tasks = await Promise.all(templates.map((template) => startTask(template)));
      await until(() => silence.connections.length >= before + 2, 30_000);
      await untilStubborn(project, tasks[2]);
      await Promise.all(tasks.map((task) => stopTask(task, force)));
      for (const task of tasks) {
        const { task: { status, runner_name }, log } = await ended(task);
        assert.equal(status, "stopped", log);
        assert.equal(runner_name ?? null, runner ? "dmz" : null);
      }
      await requireNothingLeft(project.dataDir, server.pid);
      if (runner) await requireNothingLeft(runner.dataDir, runner.pid);
    }
  });
}

Deno.test("runs of one template wait for each other, and a waiting one is stopped immediately", async () => {
  await using project = await addRealProject(OPTIONS);
  const { home, startTask, stopTask, getTask, ended } = project;
  const git = await newGitRepository(join(home, "stubborn"));
  await git.commit({ "site.yml": STUBBORN }, "Stubborn");
  const environment_id = await newEnvironment(project);
  const parallel = await newTemplate(project, "parallel", git.url, environment_id);
  const { repository_id } = await (async () => {
    const path = `/api/project/${project.id}/templates/${parallel}`;
    return (await project.server.api("GET", path)).body;
  })();
  const template = await project.makeTemplate({ name: "one", repository_id, environment_id });

  const [first, second, third] = [
    await startTask(template),
    await startTask(template),
    await startTask(template),
  ];
  await untilStubborn(project, first);
  assert.equal((await getTask(second)).status, "waiting");
  await stopTask(second);
  assert.equal((await getTask(second)).status, "stopped");
  await stopTask(first, true);
  assert.equal((await ended(first)).task.status, "stopped");
  await untilStubborn(project, third);
  assert.equal(await exists(join(home, `started-${second}`)), false);
  await stopTask(third, true);
  assert.equal((await ended(third)).task.status, "stopped");
});

Deno.test("a server that ends, or is killed, takes its runs along, and says so", async () => {
  await using project = await addRealProject(OPTIONS);
  const { home, startTask } = project;
  const git = await newGitRepository(join(home, "stubborn"));
  await git.commit({ "site.yml": STUBBORN }, "Stubborn");
  const template = await newTemplate(project, "killed", git.url, await newEnvironment(project));
  const ends = [
    ["SIGTERM", /interrupted because the server was shutting down/, 0],
    ["SIGKILL", /interrupted by a restart/, SETTLE_MS],
  ] as const;
  for (const [signal, reason, limitMs] of ends) {
    const task = await startTask(template);
    await untilStubborn(project, task);
    await project.restart(
      signal,
      () => requireNoProcess(project.dataDir, project.server.pid, limitMs),
    );
    const { task: { status, end_reason }, log } = await project.ended(task);
    assert.equal(status, "error", log);
    assert.match(end_reason, reason);
    assert.match(log.slice(log.indexOf("TASK [Stubborn]")), reason);
    await requireNothingLeft(project.dataDir, project.server.pid);
  }
});
