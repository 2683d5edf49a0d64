import assert from "node:assert/strict";
import { join } from "node:path";
import { say } from "../../scripts/console.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { ADMIN, signIn } from "@/tests/support/server/real_server.ts";
import { until } from "@/tests/support/basics/until.ts";
import { CONFINED, type Containers, IMAGE, newContainers } from "./support/containers.ts";
import { succeed } from "./support/succeed.ts";

const IMAGE_BYTES_MAX = 350e6;
const START_LIMIT_MS = 120_000;
const TASKS_LIMIT_MS = 240_000;
const ENDS = ["success", "error", "stopped"];

/** A container that runs the image as the documentation says, with the demo project. */
type Server = Awaited<ReturnType<typeof startServer>>;

async function startServer(
  { podman, folder }: Containers,
  name: string,
  ...options: string[]
) {
  const port = freePort();
  const secret = join(folder, "password");
  await Deno.writeTextFile(secret, `${ADMIN.password}\n`);
  await Deno.chmod(secret, 0o444);
  const settings = [`--env=CALLBOARD_PORT=${port}`, "--env=CALLBOARD_DEMO=true"];
  const mounts = [
    `--volume=${name}:/data`,
    `--volume=${secret}:/run/secrets/CALLBOARD_ADMIN_PASSWORD:ro`,
  ];
  const run = ["run", "--detach", `--name=${name}`, ...CONFINED];
  await podman(...run, ...settings, ...mounts, ...options, IMAGE);
  const url = `http://127.0.0.1:${port}`;
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/project/1/${path}`, {
      method,
      headers: { Cookie: await signIn(url), "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return await response.json();
  };
  return {
    name,
    url,
    /** Calls the API of the demo project. */
    call,
    /** The tasks of the demo project, latest first. */
    tasks: (): Promise<{ id: number; status: string }[]> => call("GET", "tasks"),
    async start(template: string): Promise<number> {
      const templates: { id: number; name: string }[] = await call("GET", "templates");
      const { id } = templates.find(({ name }) => name === template)!;
      return (await call("POST", "tasks", { template_id: id })).id;
    },
  };
}

const responds = async ({ logs }: Containers, { name, url }: Server): Promise<void> => {
  const pings = () =>
    fetch(`${url}/api/ping`).then(({ ok, body }) => (body?.cancel(), ok), () => false);
  await until(pings, START_LIMIT_MS).catch(async (error) => {
    throw new Error(`${error.message}\n${await logs(name)}`);
  });
};

/** Writes a repository with a play to a folder that only a container with it can see. */
async function writeRepository({ folder }: Containers): Promise<string> {
  const repository = join(folder, "far");
  await Deno.mkdir(repository);
  const play = "- hosts: all\n  gather_facts: false\n  tasks: [{ping: {}}]\n";
  await Deno.writeTextFile(join(repository, "site.yml"), play);
  const git = ["git", "-C", repository, "-c", "user.name=eve", "-c", "user.email=eve@example.com"];
  await succeed([...git, "init", "-q", "-b", "main"]);
  await succeed([...git, "add", "site.yml"]);
  await succeed([...git, "commit", "-q", "-m", "First play"]);
  await succeed(["chown", "-R", "10001:10001", repository]);
  return repository;
}

/** Creates a template that needs the label, and a runner with it. Returns its token and ids. */
async function prepareRunner({ call }: Server, label: string) {
  const [{ id: ssh_key_id }] = await call("GET", "keys");
  const repository = { name: "Far", git_url: "file:///srv/far", git_branch: "main", ssh_key_id };
  const { id: repository_id } = await call("POST", "repositories", repository);
  const hosts = { name: "Far", type: "static", inventory: "localhost ansible_connection=local" };
  const { id: inventory_id } = await call("POST", "inventory", hosts);
  const template = { name: "Far", playbook: "site.yml", app: "ansible", runner_tag: label };
  await call("POST", "templates", { ...template, repository_id, inventory_id });
  return await call("POST", "runners", { name: "far-1", tags: [label] });
}

/** Waits until this number of tasks has ended. Returns the ids of those that have succeeded. */
async function haveEnded({ tasks }: Server, count: number): Promise<number[]> {
  let found = await tasks();
  await until(async () => {
    found = await tasks();
    return found.length >= count && found.every(({ status }) => ENDS.includes(status));
  }, TASKS_LIMIT_MS);
  return found.filter(({ status }) => status === "success").map(({ id }) => id);
}

const exitCode = async ({ podman }: Containers, name: string): Promise<number> =>
  Number(await podman("inspect", "--format={{.State.ExitCode}}", name));

Deno.test("the image runs without rights, and keeps everything when it is stopped or killed", async (t) => {
  await using containers = await newContainers();
  const { podman } = containers;

  await t.step(`it is smaller than ${IMAGE_BYTES_MAX / 1e6} MB`, async () => {
    const bytes = Number(await podman("image", "inspect", "--format={{.Size}}", IMAGE));
    say(`${(bytes / 1e6).toFixed(0)} MB`);
    assert.ok(bytes < IMAGE_BYTES_MAX, `${bytes} bytes`);
  });

  const server = await startServer(containers, "plain");
  await t.step("it serves, and reads a secret from a file", async () => {
    const startedAt = performance.now();
    await responds(containers, server);
    say(`responds after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    await signIn(server.url);
  });

  await t.step("it carries out the tasks of the demo with its Ansible", async () => {
    assert.deepEqual(await haveEnded(server, 2), [2, 1]);
  });

  await t.step("its health check succeeds", async () => {
    await podman("healthcheck", "run", server.name);
  });

  await t.step("20 tasks leave no process behind", async () => {
    for (let count = 2; count < 20; count++) await server.start("Ping Site");
    await haveEnded(server, 20);
    const list = "grep -h ^State: /proc/[0-9]*/status || true";
    const states = await podman("exec", server.name, "sh", "-c", list);
    assert.match(states, /State:\s+S/);
    assert.doesNotMatch(states, /State:\s+Z/);
  });

  await t.step("SIGTERM lets a running task finish", async () => {
    const id = await server.start("Build");
    const isRunning = async () =>
      (await server.tasks()).some((task) => task.id === id && task.status === "running");
    await until(isRunning, TASKS_LIMIT_MS);
    await podman("stop", "--time=60", server.name);
    assert.equal(await exitCode(containers, server.name), 0);
    await podman("start", server.name);
    await responds(containers, server);
    assert.ok((await haveEnded(server, 22)).includes(id));
  });

  await t.step("a kill loses nothing", async () => {
    const before = await server.tasks();
    await podman("kill", server.name);
    await podman("start", server.name);
    await responds(containers, server);
    assert.deepEqual(await server.tasks(), before);
  });

  await t.step("a runner of the image carries out a task, and keeps its registration", async () => {
    const repository = await writeRepository(containers);
    const { id: runner_id, registration_token } = await prepareRunner(server, "far");
    const token = join(containers.folder, "token");
    await Deno.writeTextFile(token, `${registration_token}\n`);
    await Deno.chmod(token, 0o444);
    await podman(
      ...["run", "--detach", "--name=far", ...CONFINED, "--volume=far:/data"],
      `--env=CALLBOARD_RUNNER_URL=${server.url}`,
      `--volume=${token}:/run/secrets/CALLBOARD_RUNNER_TOKEN:ro`,
      ...[`--volume=${repository}:/srv/far:ro`, IMAGE, "runner", "start"],
    );
    for (const restart of [false, true]) {
      if (restart) await podman("restart", "--time=60", "far");
      const id = await server.start("Far");
      const hasEnded = async () => ENDS.includes((await server.call("GET", `tasks/${id}`)).status);
      await until(hasEnded, TASKS_LIMIT_MS).catch(async (error) => {
        throw new Error(`${error.message}\n${await containers.logs("far")}`);
      });
      const { status, runner_id: on } = await server.call("GET", `tasks/${id}`);
      assert.deepEqual([status, on], ["success", runner_id]);
    }
    await podman("healthcheck", "run", "far");
    assert.match(await podman("exec", "far", "callboard", "runner", "status"), /"far-1".*\nIt is /);
    await podman("stop", "--time=60", "far");
    assert.equal(await exitCode(containers, "far"), 0);
  });
  await podman("rm", "--force", "--time=0", server.name);

  await t.step("tasks run in bubblewrap where the container may mount /proc", async () => {
    const isolated = "--env=CALLBOARD_TASK_ISOLATION=bwrap";
    const open = await startServer(containers, "open", isolated, "--security-opt=unmask=ALL");
    await responds(containers, open);
    assert.deepEqual(await haveEnded(open, 2), [2, 1]);
    const masked = await startServer(containers, "masked", isolated);
    await podman("wait", masked.name);
    assert.equal(await exitCode(containers, masked.name), 1);
    assert.match(await containers.logs(masked.name), /bwrap does not work here: .*\/proc/);
  });
});
