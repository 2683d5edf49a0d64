import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { giveKnownAnsible } from "@/tests/support/server/known_ansible.ts";
import { newRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { runRunner, spawnRunner } from "@/tests/support/server/real_runner.ts";
import { signIn } from "@/tests/support/server/real_server.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "@/tests/support/programs/small_disk.ts";
import { until } from "@/tests/support/basics/until.ts";

const MEGABYTES = 64;
const ITEMS = 3_000;
/** Longer than the server ever took to give up a run on a full disk. */
const FULL_MS = 12_000;

const PLAYBOOK = `- hosts: localhost
  gather_facts: false
  tasks:
    - debug: { msg: "item number {{ item }} {{ 'x' * 100 }}" }
      loop: "{{ range(1, ${ITEMS + 1}) | list }}"
`;

interface Stage {
  project: RealProject;
  disk: SmallDisk;
  template: number;
}

/** Runs `test` on a server whose data folder is a small disk, with a play that prints a lot. */
async function onSmallDisk(env: Record<string, string>, test: (stage: Stage) => Promise<void>) {
  let disk: SmallDisk | null = null;
  const prepare = async (dataDir: string) => void (disk = await mountSmallDisk(dataDir, MEGABYTES));
  const project = await newRealProject({ env, prepare });
  try {
    await Deno.writeTextFile(join(project.home, "site.yml"), PLAYBOOK);
    const template = await project.makeTemplate({
      repository_id: await project.make("repositories", {
        name: "Folder",
        git_url: project.home,
        ssh_key_id: project.noKey,
      }),
      environment_id: await project.make("environment", { name: "Empty", json: "{}" }),
    });
    await test({ project, disk: disk!, template });
  } finally {
    await project.server.end("SIGTERM").catch(() => {});
    await disk!.unmount();
    await project[Symbol.asyncDispose]();
  }
}

/** Starts a task, and resolves to its id once it has printed some lines. */
async function startPrinting({ project, template }: Stage): Promise<number> {
  const task = await project.startTask(template);
  await until(async () => (await project.log(task)).includes("item number 20 "))
    .catch(async () => assert.fail(JSON.stringify(await project.ended(task))));
  return task;
}

/** Returns the numbers of the items in the output. */
const itemsIn = (log: string): number[] =>
  [...log.matchAll(/"msg": "item number (\d+) /g)].map(([, n]) => Number(n));

const firstItems = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the server has ended a run because of its full disk. */
const untilLate = ({ project }: Stage) =>
  until(() => project.printed().includes('"event":"disk_full_ended"'));

const DISK_FULL = "The disk of the server was full.";

/** Skips the tests where no small disk can be mounted, which requires root. */
const ignore = !await canMount();

Deno.test({
  name: "a play continues after its server's disk was full, and loses no line",
  ignore,
  fn: () =>
    onSmallDisk({}, async (stage) => {
      const { project, disk } = stage;
      const task = await startPrinting(stage);
      await disk.fill();
      await sleep(FULL_MS);
      assert.equal((await project.getTask(task)).status, "running");
      await disk.makeRoom();
      const { task: { status, end_reason }, log } = await project.ended(task);
      assert.deepEqual({ status, end_reason }, { status: "success", end_reason: "" });
      assert.deepEqual(itemsIn(log), firstItems(ITEMS));
    }),
});

Deno.test({
  name: "a disk that stays full ends the play with this reason, and the server continues",
  ignore,
  fn: () =>
    onSmallDisk({ CALLBOARD_FULL_DISK_SECONDS: "4" }, async (stage) => {
      const { project, disk, template } = stage;
      const remote = await project.make("repositories", {
        name: "Remote",
        git_url: "https://127.0.0.1:1/a.git",
        git_branch: "main",
        ssh_key_id: project.noKey,
      });
      const task = await startPrinting(stage);
      await disk.fill();
      await untilLate(stage);
      const { server } = project;
      for (const path of ["/", `/project/${project.id}`, `/project/${project.id}/tasks/${task}`]) {
        const page = await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } });
        assert.equal(page.status, 200, path);
        await page.body?.cancel();
      }
      const start = { template_id: template };
      const refused = await server.api("POST", `/api/project/${project.id}/tasks`, start);
      assert.equal(refused.status, 503);
      assert.match(refused.body.error, /cannot save anything because its disk is full/);
      const asked = `/api/project/${project.id}/repositories/${remote}/branches`;
      const branches = await server.api("GET", asked);
      assert.equal(branches.status, 503, JSON.stringify(branches.body));
      assert.match(branches.body.error, /cannot save anything because its disk is full/);
      await assert.rejects(signIn(server.url), /503 .*disk is full/);
      await disk.makeRoom();
      const { task: { status, end_reason }, log } = await project.ended(task);
      assert.deepEqual({ status, end_reason }, { status: "error", end_reason: DISK_FULL });
      const items = itemsIn(log);
      assert.ok(items.length < ITEMS);
      assert.deepEqual(items, firstItems(items.length));
      assert.equal(log.trimEnd().split("\n").at(-1), DISK_FULL);
      const next = await project.run(template);
      assert.deepEqual(itemsIn(next.log), firstItems(ITEMS));
    }),
});

Deno.test({
  name: "each task of a server that is killed on a full disk has one end with a reason",
  ignore,
  fn: () =>
    onSmallDisk({ CALLBOARD_FULL_DISK_SECONDS: "3" }, async (stage) => {
      const { project, disk } = stage;
      const first = await startPrinting(stage);
      await disk.fill();
      await untilLate(stage);
      await project.restart("SIGKILL", disk.makeRoom);
      const { task: late, log } = await project.ended(first);
      assert.deepEqual([late.status, late.end_reason], ["error", DISK_FULL]);
      assert.equal(log.split(DISK_FULL).length, 2);
      assert.deepEqual(itemsIn(log), firstItems(itemsIn(log).length));
      const second = await startPrinting(stage);
      await disk.fill();
      await until(() => project.printed().split('"event":"disk_full"').length > 2);
      await project.restart("SIGKILL", disk.makeRoom);
      const { task: killed } = await project.ended(second);
      assert.equal(killed.end_reason, "The task was interrupted by a restart of the server.");
      const ends = (await project.get("events")).filter((
        { object_type, action }: Record<string, string>,
      ) => object_type === "task" && action.startsWith("finished_"));
      assert.equal(ends.length, 2, JSON.stringify(ends));
    }),
});

Deno.test({
  name: "a run whose files have no space waits for it, and then begins",
  ignore,
  async fn() {
    const store = await Deno.makeTempDir();
    await onSmallDisk({ CALLBOARD_KV: join(store, "callboard.kv") }, async (stage) => {
      const { project, disk, template } = stage;
      await disk.fill();
      const task = await project.startTask(template);
      const waits = /^The disk of the server is full\. Waiting for space for up to 600 seconds\.$/m;
      await until(async () => waits.test(await project.log(task)));
      await disk.makeRoom();
      const { task: { status, end_reason }, log } = await project.ended(task);
      assert.deepEqual({ status, end_reason }, { status: "success", end_reason: "" });
      assert.deepEqual(itemsIn(log), firstItems(ITEMS));
    });
    await Deno.remove(store, { recursive: true });
  },
});

interface RunnerStage {
  project: RealProject;
  disk: SmallDisk;
  task: number;
  /** Waits until the runner has said this. */
  says(text: string): Promise<void>;
}

/** Starts a server and a runner, one of them on a small disk, and a play on the runner. */
async function onRunner(
  { small, env }: { small: "server" | "runner"; env: Record<string, string> },
  test: (stage: RunnerStage) => Promise<void>,
) {
  let disk: SmallDisk | null = null;
  const mount = async (dataDir: string) => void (disk = await mountSmallDisk(dataDir, MEGABYTES));
  const project = await newRealProject(small === "server" ? { env, prepare: mount } : {});
  const { server, home } = project;
  const dataDir = join(home, "runner");
  if (small === "runner") await mount(dataDir);
  try {
    const created = await server.api("POST", `/api/project/${project.id}/runners`, {
      name: "dmz-1",
      tags: ["dmz"],
    });
    const token = { CALLBOARD_RUNNER_TOKEN: created.body.registration_token };
    await giveKnownAnsible(dataDir);
    const registered = await runRunner({ dataDir, env: token }, "register", server.url);
    assert.equal(registered.code, 0, registered.said);
    const repository = await newGitRepository(join(home, "repository"));
    await repository.commit({ "site.yml": PLAYBOOK }, "Play");
    const template = await project.makeTemplate({
      repository_id: await project.make("repositories", {
        name: "Play",
        git_url: repository.url,
        git_branch: "main",
        ssh_key_id: project.noKey,
      }),
      environment_id: await project.make("environment", { name: "Empty", json: "{}" }),
      runner_tag: "dmz",
    });
    const runner = spawnRunner({ dataDir, env }, "start");
    try {
      const task = await startPrinting({ project, disk: disk!, template });
      await test({ project, disk: disk!, task, says: runner.says });
    } finally {
      runner.kill("SIGTERM");
      await runner.code;
    }
  } finally {
    await project.server.end("SIGTERM").catch(() => {});
    await disk!.unmount();
    await project[Symbol.asyncDispose]();
  }
}

Deno.test({
  name: "a runner keeps its output while the server's disk is full, and is not lost",
  ignore,
  fn: () =>
    onRunner(
      { small: "server", env: { CALLBOARD_RUNNER_LOST_SECONDS: "6" } },
      async ({ project, disk, task }) => {
        await disk.fill();
        await sleep(FULL_MS + 6_000);
        assert.equal((await project.getTask(task)).status, "running");
        await disk.makeRoom();
        const { task: { status, end_reason }, log } = await project.ended(task);
        assert.deepEqual({ status, end_reason }, { status: "success", end_reason: "" });
        assert.deepEqual(itemsIn(log), firstItems(ITEMS));
      },
    ),
});

Deno.test({
  name: "a full disk of a runner holds its play while the server takes no lines",
  ignore,
  fn: () =>
    onRunner({ small: "runner", env: {} }, async ({ project, disk, task, says }) => {
      await disk.fill();
      Deno.kill(project.server.pid, "SIGSTOP");
      await says('"event":"disk_full"');
      await sleep(2_000);
      await disk.makeRoom();
      Deno.kill(project.server.pid, "SIGCONT");
      const { task: { status, end_reason }, log } = await project.ended(task);
      assert.deepEqual({ status, end_reason }, { status: "success", end_reason: "" });
      assert.deepEqual(itemsIn(log), firstItems(ITEMS));
    }),
});

Deno.test({
  name: "a disk of a runner that stays full ends the play with this reason",
  ignore,
  fn: () =>
    onRunner(
      { small: "runner", env: { CALLBOARD_FULL_DISK_SECONDS: "2" } },
      async ({ project, disk, task, says }) => {
        await disk.fill();
        Deno.kill(project.server.pid, "SIGSTOP");
        await says('"event":"disk_full"');
        await sleep(4_000);
        Deno.kill(project.server.pid, "SIGCONT");
        const { task: { status, end_reason }, log } = await project.ended(task);
        assert.deepEqual([status, end_reason], ["error", "The disk of the runner was full."]);
        const items = itemsIn(log);
        assert.ok(items.length < ITEMS);
        assert.deepEqual(items, firstItems(items.length));
        await disk.makeRoom();
      },
    ),
});
