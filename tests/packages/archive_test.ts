import assert from "node:assert/strict";
import { join } from "node:path";
import { DENO } from "../../tools/package/deno_binary.ts";
import { copyProject } from "@/tests/support/basics/copy_project.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";
import { oldData } from "@/tests/support/server/old_data.ts";
import { until } from "@/tests/support/basics/until.ts";
import { ARCHIVES, builtArchives } from "./support/built.ts";
import { type Answer, type Machine, newMachine, type Running } from "./support/machine.ts";
import { succeed } from "./support/succeed.ts";

const PASSWORD = "only for tests";
const SETTINGS = `CALLBOARD_DATA=/home/eve/data CALLBOARD_ADMIN_PASSWORD="${PASSWORD}"`;

/** CPU time of a first start, up to its first page: ten seconds on a machine without other work. */
const START_CPU_SECONDS = 10;
const START_LIMIT_MS = 180_000;
/** An emulator takes about twenty times as long. */
const EMULATED_START_LIMIT_MS = 900_000;
const DEMO_LIMIT_MS = 180_000;

/** Unpacks the archive as root to /opt, as docs/install.md says. */
async function install(machine: Machine, to = "/opt"): Promise<void> {
  const archives = await builtArchives();
  await machine.run(`mkdir -p ${to}`);
  await succeed(["tar", "-xzf", `${archives}/${ARCHIVES.x64}.tar.gz`, "-C", machine.root + to]);
  await succeed(["cp", `${archives}/${ARCHIVES.ansible}.tar.gz`, machine.root + to]);
  await machine.run(`ln -sf ${to}/${ARCHIVES.x64}/bin/callboard /usr/local/bin/callboard`);
}

async function firstPage(machine: Machine, server: Running): Promise<Answer> {
  let answer: Answer | null = null;
  const isServed = async () => (answer = await machine.request("/auth/login"))?.status === 200;
  await until(isServed, START_LIMIT_MS).catch((error) => {
    throw new Error(`${error.message}\n${server.output()}`);
  });
  return answer!;
}

async function signIn(machine: Machine): Promise<string> {
  const body = { auth: "admin", password: PASSWORD };
  const { status, headers } = (await machine.request("/api/auth/login", { body }))!;
  assert.equal(status, 204);
  return headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
}

async function tasks(machine: Machine, cookie: string) {
  const { text } = (await machine.request("/api/project/1/tasks", { cookie }))!;
  return JSON.parse(text).map(({ id, status }: { id: number; status: string }) => ({ id, status }));
}

/** Registers the archive's runner with the server of the same machine, and runs a task on it. */
async function runOnRunner(machine: Machine, cookie: string): Promise<void> {
  const call = async (path: string, body?: unknown) => {
    const { status, text } = (await machine.request(`/api/project/1/${path}`, { cookie, body }))!;
    assert.ok(status < 300, `${path} ${status} ${text}`);
    return JSON.parse(text);
  };
  await machine.runAsUser(
    "git init -q -b main far && cd far && printf '%s\\n' " +
      "'- hosts: all' '  gather_facts: false' '  tasks: [{ping: {}}]' >site.yml && git add . && " +
      "git -c user.name=eve -c user.email=eve@example.com commit -q -m 'First play'",
  );
  const [{ id: ssh_key_id }] = await call("keys");
  const repository = { name: "Far", git_url: "file:///home/eve/far", git_branch: "main" };
  const { id: repository_id } = await call("repositories", { ...repository, ssh_key_id });
  const inventory = "localhost ansible_connection=local";
  const { id: inventory_id } = await call("inventory", { name: "Far", type: "static", inventory });
  const template = { name: "Far", playbook: "site.yml", app: "ansible", runner_tag: "dmz" };
  const { id: template_id } = await call("templates", { ...template, repository_id, inventory_id });
  const { id, registration_token } = await call("runners", { name: "dmz-1", tags: ["dmz"] });

  await machine.runAsUser(
    `CALLBOARD_RUNNER_TOKEN=${registration_token} callboard runner register http://127.0.0.1:3000`,
  );
  assert.match(await machine.runAsUser("callboard runner status"), /"dmz-1".*\nIt is not running/);
  const runner = await machine.start("callboard runner start");
  await until(() => runner.output().includes("waits for tasks of"), START_LIMIT_MS);
  const { id: taskId } = await call("tasks", { template_id });
  let task = { status: "waiting", runner_id: 0 };
  await until(async () => {
    task = await call(`tasks/${taskId}`);
    return ["success", "error"].includes(task.status);
  }, DEMO_LIMIT_MS);
  const { text } = (await machine.request(`/api/project/1/tasks/${taskId}/output`, { cookie }))!;
  assert.deepEqual([task.status, task.runner_id], ["success", id], text);
  assert.match(text, /PLAY RECAP/);
  assert.equal(await runner.end("TERM"), 0, runner.output());
}

Deno.test("the archive runs the demo on a fresh Debian without a network, survives kill -9, and runs a task on its runner", async () => {
  await using machine = await newMachine();
  await install(machine);
  await assert.rejects(machine.runAsUser(`touch /opt/${ARCHIVES.x64}/app/lib/x`), /denied/);
  await assert.rejects(machine.run("command -v deno node ansible"));
  assert.match(await machine.runAsUser("callboard version"), /^Callboard \d/);

  const first = await machine.start(`env ${SETTINGS} callboard demo`);
  const page = await firstPage(machine, first);
  const cpuSeconds = await first.cpuSeconds();
  assert.ok(cpuSeconds < START_CPU_SECONDS, `${cpuSeconds} s`);
  assert.match(page.text, /<html lang="en">/);
  assert.match(first.output(), /Installed ansible-playbook \[core 2\./);
  const help = (await machine.request("/auth/help"))!.text;
  assert.match(help, />callboard user list</);
  assert.doesNotMatch(help, /deno task/);

  const cookie = await signIn(machine);
  const succeeded = [{ id: 2, status: "success" }, { id: 1, status: "success" }];
  await until(
    async () => JSON.stringify(await tasks(machine, cookie)) === JSON.stringify(succeeded),
    DEMO_LIMIT_MS,
  );
  await first.end("KILL");

  const second = await machine.start(`env ${SETTINGS} callboard start`);
  await firstPage(machine, second);
  assert.doesNotMatch(second.output(), /Installing|first administrator/);
  assert.deepEqual(await tasks(machine, cookie), succeeded);
  const { text } = (await machine.request("/api/project/1/tasks/1/output", { cookie }))!;
  assert.match(text, /PLAY RECAP/);
  assert.match(await machine.runAsUser(`${SETTINGS} callboard user list`), /1 +admin/);
  await runOnRunner(machine, cookie);
  assert.equal(await second.end("TERM"), 0);
  assert.match(second.output(), /"event":"stopping"/);
  const written = await machine.run("find / -xdev -user eve -not -path '/home/eve/data/*'");
  assert.deepEqual(written.split("\n").filter((path) => !/^(\/home\/eve.*|)$/.test(path)), []);
});

Deno.test("the archive upgrades the data of an earlier version, and a later one takes its place", async () => {
  const old = await oldData();
  await using machine = await newMachine();
  await install(machine);
  await succeed(["cp", "-a", old, join(machine.root, "home/eve/data")]);
  await Deno.remove(old, { recursive: true });
  await machine.run("chown -R eve: /home/eve/data");

  const settings = `${SETTINGS} CALLBOARD_INSTALL=false`;
  const first = await machine.start(`env ${settings} callboard start`);
  await firstPage(machine, first);
  assert.match(first.output(), /"event":"upgrade_finished"/);
  const cookie = await signIn(machine);
  assert.match((await machine.request("/api/projects", { cookie }))!.text, /"Web shop"/);
  assert.equal(await first.end("TERM"), 0);

  await install(machine, "/opt/next");
  await machine.run(`rm -r /opt/${ARCHIVES.x64}`);
  const second = await machine.start(`env ${settings} callboard start`);
  await firstPage(machine, second);
  assert.match((await machine.request("/api/projects", { cookie }))!.text, /"Web shop"/);
  assert.doesNotMatch(second.output(), /"event":"upgrade_started"/);
  assert.equal(await second.end("TERM"), 0);

  const back = "callboard restore --upgrade-copy data/callboard.kv.version-*";
  assert.match(await machine.runAsUser(`${settings} ${back}`), /The store is now the copy/);
});

Deno.test("the archive for arm64 serves a page", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_arm64_" });
  try {
    await succeed([
      ...["tar", "-xzf", `${await builtArchives()}/${ARCHIVES.arm64}.tar.gz`, "-C", folder],
    ]);
    const top = join(folder, ARCHIVES.arm64);
    await Deno.rename(join(top, "lib/deno"), join(top, "lib/deno.arm64"));
    const emulator = `#!/bin/sh
exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "${top}/lib/deno.arm64" "$@"
`;
    await Deno.writeTextFile(join(top, "lib/deno"), emulator, { mode: 0o755 });
    const env = {
      CALLBOARD_DATA: join(folder, "data"),
      CALLBOARD_PORT: "0",
      CALLBOARD_INSTALL: "false",
    };
    const callboard = join(top, "bin/callboard");
    const versions = await succeed([callboard, "version"], { env });
    assert.match(versions, new RegExp(`deno ${DENO.arm64.version} .*aarch64`));

    await using child = new Deno.Command(callboard, { args: ["start"], env, stderr: "piped" })
      .spawn();
    let said = "";
    const read = child.stderr.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (text) => void (said += text) }));
    const url = () => said.match(/ is at (\S+)/)?.[1];
    await until(() => url() !== undefined, EMULATED_START_LIMIT_MS).catch((error) => {
      throw new Error(`${error.message}\n${said}`);
    });
    const response = await fetch(new URL("/auth/login", url()!));
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<html lang="en">/);
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 0, said);
    await read;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("another folder gives the same archive", async () => {
  const archives = await builtArchives();
  const folder = await Deno.makeTempDir({ prefix: "callboard_copy_" });
  try {
    // The commit is a part of the version.
    await succeed(["git", "clone", "--quiet", ROOT, folder]);
    await copyProject(folder);
    const out = join(folder, "dist");
    const package_ = ["task", "package", "--arch=x64", "--without-ansible", `--out=${out}`];
    await succeed([Deno.execPath(), ...package_], { cwd: folder });
    const name = `${ARCHIVES.x64}.tar.gz`;
    const line = (text: string) => text.split("\n").find((line) => line.endsWith(name));
    const [first, second] = await Promise.all(
      [archives, out].map((path) => Deno.readTextFile(`${path}/SHA256SUMS`)),
    );
    assert.ok(line(first!));
    assert.equal(line(second!), line(first!));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
