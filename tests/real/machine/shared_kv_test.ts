import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { denokv, newKvServer } from "@/tests/support/server/kv_server.ts";
import { oldData } from "@/tests/support/server/old_data.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";
import {
  ADMIN,
  installStandIn,
  type RealServer,
  signIn,
  startRealServer,
} from "@/tests/support/server/real_server.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { until } from "@/tests/support/basics/until.ts";

interface Lab extends AsyncDisposable {
  home: string;
  kv: ReturnType<typeof newKvServer>;
  start(name: string): Promise<RealServer>;
}

/**
 * Starts a KV Connect server, and returns everything needed to start servers on it. The service
 * begins with the store of the data folder `from`.
 */
async function newLab(env: Record<string, string> = {}, from?: string): Promise<Lab> {
  const home = await Deno.makeTempDir({ prefix: "callboard_shared_" });
  const kv = newKvServer(home);
  if (from) {
    await Deno.rename(join(from, "callboard.kv"), kv.file);
    await Deno.remove(from, { recursive: true });
  }
  await kv.start();
  const ansibleDir = await installStandIn(join(home, "bin"));
  const secretKey = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  const servers: RealServer[] = [];
  return {
    home,
    kv,
    async start(name) {
      const server = await startRealServer({
        dataDir: join(home, name),
        ansibleDir,
        env: {
          ...kv.env,
          CALLBOARD_SECRET_KEY: secretKey,
          CALLBOARD_STOP_GRACE_SECONDS: "1",
          ...env,
        },
      });
      servers.push(server);
      return server;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.end("SIGKILL").catch(() => {})));
      await kv.kill();
      await Deno.remove(home, { recursive: true });
    },
  };
}

async function make(server: RealServer, path: string, body: Record<string, unknown>) {
  const answer = await server.api("POST", path, body);
  assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.id as number;
}

/** Creates a project whose template prints `lines` lines with `pauseMs` before each. */
async function makeProject(
  server: RealServer,
  home: string,
  { lines = 20, pauseMs = 50, ...fields }: Record<string, unknown> = {},
) {
  const git = await newGitRepository(join(home, `repository-${crypto.randomUUID()}`));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  const id = await make(server, "/api/projects", { name: "Shared", ...fields });
  const below = `/api/project/${id}`;
  const keyId = await make(server, `${below}/keys`, {
    name: "Root",
    type: "login_password",
    login_password: { login: "root", password: "swordfish" },
  });
  const noKeyId = await make(server, `${below}/keys`, { name: "Nothing", type: "none" });
  const env = {
    CALLBOARD_STAND_IN_LINES: String(lines),
    CALLBOARD_STAND_IN_SLEEP_MS: String(pauseMs),
  };
  const templateId = await make(server, `${below}/templates`, {
    name: "Work",
    type: "build",
    start_version: "1",
    playbook: "site.yml",
    inventory_id: await make(server, `${below}/inventory`, {
      name: "Hosts",
      type: "static",
      inventory: "localhost ansible_connection=local\n",
      ssh_key_id: keyId,
    }),
    repository_id: await make(server, `${below}/repositories`, {
      name: "Playbooks",
      git_url: git.url,
      git_branch: "main",
      ssh_key_id: noKeyId,
    }),
    environment_id: await make(server, `${below}/environment`, {
      name: "Settings",
      json: "{}",
      env: JSON.stringify(env),
    }),
    vaults: [{ vault_key_id: keyId, name: null }],
    allow_parallel_tasks: true,
  });
  return {
    below,
    templateId,
    start: () => make(server, `${below}/tasks`, { template_id: templateId }),
  };
}

const taskOn = async (server: RealServer, below: string, id: number) =>
  (await server.api("GET", `${below}/tasks/${id}`)).body;

const untilStatus = (
  server: RealServer,
  below: string,
  id: number,
  status: string,
  limitMs = 20_000,
) => until(async () => (await taskOn(server, below, id)).status === status, limitMs);

async function untilLines(server: RealServer, below: string, id: number, count: number) {
  const lines = async () => (await server.api("GET", `${below}/tasks/${id}/output`)).body.length;
  await until(async () => await lines() >= count, 20_000);
}

/** Returns the task's folder on the disk of the server that runs it. */
const runsOn = (home: string, name: string, id: number) =>
  Deno.stat(join(home, name, "tasks", String(id))).then(() => true, () => false);

async function openSocket(server: RealServer, cookie = server.cookie) {
  const received: { type: string; task_id: number; status?: string; output?: string }[] = [];
  const url = new URL("/api/ws", server.url.replace(/^http/, "ws"));
  const socket = new WebSocket(url, { headers: { Cookie: cookie } } as unknown as string[]);
  socket.onmessage = ({ data }) => received.push(JSON.parse(data));
  await new Promise((resolve) => socket.onopen = resolve);
  await new Promise((resolve) => setTimeout(resolve, 300)); // the relay's first look
  return { received, close: () => socket.close() };
}

const test = (name: string, fn: () => Promise<void>) => Deno.test({ name, ignore: !denokv, fn });

test("a task on one server is seen and stopped from the other", async () => {
  await using lab = await newLab();
  const [a, b] = [await lab.start("a"), await lab.start("b")];
  const { below, start } = await makeProject(a, lab.home, { lines: 200, pauseMs: 50 });
  const session = await fetch(new URL("/api/user", b.url), { headers: { Cookie: a.cookie } });
  assert.equal(session.status, 200);
  await session.body?.cancel();

  const socket = await openSocket(b);
  const id = await start();
  await untilLines(b, below, id, 15);
  await until(() => socket.received.filter(({ type }) => type === "log").length > 5);
  const statuses = () =>
    socket.received.flatMap(({ type, status }) => type === "update" ? [status] : []);
  assert.ok(statuses().includes("running"), String(statuses()));

  const seenOn = async (path: string) => {
    const answer = await fetch(new URL(path, b.url), { headers: { Cookie: b.cookie } });
    return { answer, text: answer.text() };
  };
  const events = await seenOn(`${below}/tasks/${id}/events`);
  const page = await seenOn(`${below.replace("/api", "")}/tasks/${id}`);
  assert.equal((await b.api("POST", `${below}/tasks/${id}/stop`, {})).status, 204);
  await untilStatus(a, below, id, "stopped");
  assert.match(await events.text, /item=3\).*event: end\ndata: {"status":"stopped"}/s);
  assert.match(await page.text, /item=3\).*<\/html>/s);
  await until(() => statuses().at(-1) === "stopped");

  const second = await start();
  await untilLines(b, below, second, 5);
  assert.equal((await b.api("POST", `${below}/tasks/${second}/stop`, { force: true })).status, 204);
  await untilStatus(a, below, second, "stopped", 3_000);
  socket.close();
});

test("a full server leaves tasks to the other; a project's limit holds over both", async () => {
  await using lab = await newLab({ CALLBOARD_MAX_PARALLEL_TASKS: "1" });
  const [a, b] = [await lab.start("a"), await lab.start("b")];
  const free = await makeProject(a, lab.home, { lines: 40, pauseMs: 50 });
  const tasks = [await free.start(), await free.start()];
  for (const id of tasks) await untilLines(a, free.below, id, 5);
  const on = await Promise.all(
    ["a", "b"].flatMap((name) => tasks.map((id) => runsOn(lab.home, name, id))),
  );
  assert.equal(on.filter(Boolean).length, 2);
  assert.notEqual(on[0], on[1], "one on each");
  for (const id of tasks) await untilStatus(b, free.below, id, "success");
  const versions = (await b.api("GET", `${free.below}/tasks`)).body.map(
    ({ version }: { version: string }) => version,
  );
  assert.deepEqual(versions.toSorted(), ["1", "2"]);

  const limited = await makeProject(a, lab.home, { lines: 10, pauseMs: 50, max_parallel_tasks: 1 });
  const [first, second] = [await limited.start(), await limited.start()];
  await untilLines(b, limited.below, first, 5);
  assert.equal((await taskOn(b, limited.below, second)).status, "waiting");
  await untilStatus(b, limited.below, second, "success");
  const [one, two] = [
    await taskOn(a, limited.below, first),
    await taskOn(a, limited.below, second),
  ];
  assert.ok(one.end <= two.start, `${one.end} ${two.start}`);
  assert.ok(Date.parse(two.start) - Date.parse(one.end) < 1_000, "the place was taken at once");
});

test("a member who leaves the project on one server gets no more messages on the other", async () => {
  await using lab = await newLab();
  const [a, b] = [await lab.start("a"), await lab.start("b")];
  const { below, start } = await makeProject(a, lab.home, { lines: 400, pauseMs: 20 });
  const carol = {
    username: "carol",
    name: "Carol",
    email: "carol@example.org",
    password: "correct horse",
  };
  const user_id = await make(a, "/api/users", carol);
  assert.equal((await a.api("POST", `${below}/users`, { user_id, role: "guest" })).status, 204);
  const signedIn = await fetch(new URL("/api/auth/login", b.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ auth: "carol", password: carol.password }),
  });
  await signedIn.body?.cancel();
  const cookie = signedIn.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  const socket = await openSocket(b, cookie);
  const id = await start();
  await until(() => socket.received.some(({ type }) => type === "log"));
  assert.equal((await a.api("DELETE", `${below}/users/${user_id}`)).status, 204);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const heard = socket.received.length;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal(socket.received.length, heard);
  await b.api("POST", `${below}/tasks/${id}/stop`, { force: true });
  await untilStatus(a, below, id, "stopped");
  socket.close();
});

test("the tasks of a killed server get their end by another one, and leave no process", async () => {
  await using lab = await newLab();
  const a = await lab.start("a");
  const { below, start } = await makeProject(a, lab.home, { lines: 2_000, pauseMs: 50 });
  const id = await start();
  await untilLines(a, below, id, 5);
  const b = await lab.start("b");
  await a.end("SIGKILL");
  await until(() => findProcesses(join(lab.home, "a", "tasks")).length === 0);
  await untilStatus(b, below, id, "error", 50_000);
  assert.match((await taskOn(b, below, id)).end_reason, /server that ran it stopped responding/);
});

test("schedules fire once and alerts are sent once, whatever the number of servers", async () => {
  const alerts: unknown[] = [];
  await using receiver = Deno.serve({ port: 0, onListen() {} }, async (req) => {
    alerts.push(await req.json());
    return new Response();
  });
  await using lab = await newLab({
    CALLBOARD_WEBHOOK_URL: `http://127.0.0.1:${receiver.addr.port}`,
  });
  const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => lab.start(name)));
  const { below, templateId } = await makeProject(a, lab.home, {
    lines: 1,
    pauseMs: 1,
    alert: true,
  });
  const run_at = new Date(Date.now() + 3_000).toISOString();
  for (const name of ["One", "Two", "Three"]) {
    await make(b, `${below}/schedules`, {
      template_id: templateId,
      type: "run_at",
      run_at,
      name,
      active: true,
    });
  }
  await until(() => alerts.length >= 3, 20_000);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const tasks = (await c.api("GET", `${below}/tasks`)).body as Record<string, unknown>[];
  assert.deepEqual(tasks.map(({ status }) => status), ["success", "success", "success"]);
  assert.deepEqual(tasks.map(({ version }) => version).toSorted(), ["1", "2", "3"]);
  assert.equal(alerts.length, 3);
});

test("while the store is away servers say so, and no task is lost", async () => {
  await using lab = await newLab();
  const [a, b] = [await lab.start("a"), await lab.start("b")];
  const { below, start } = await makeProject(a, lab.home, { lines: 150, pauseMs: 100 });
  const id = await start();
  await untilLines(b, below, id, 5);
  await lab.kv.kill();
  const health = await fetch(new URL("/api/health", b.url));
  assert.equal(health.status, 503);
  const told = await health.json();
  assert.equal(told.status, "failing");
  assert.ok(told.checks.store.reason);
  const page = await fetch(new URL("/", b.url), { headers: { Cookie: b.cookie } });
  assert.equal(page.status, 503);
  assert.match(await page.text(), /cannot reach its database/);
  await until(() => /"store_away"/.test(b.output()));
  await lab.kv.start();
  await until(() => /"store_back"/.test(b.output()));
  await untilStatus(b, below, id, "success", 30_000);
  const records = (await b.api("GET", `${below}/tasks/${id}/output`)).body as { output: string }[];
  const items = records.filter(({ output }) => /item=\d+\)/.test(output));
  assert.equal(items.length, 150);
});

test("a server with another secret key does not start on the store", async () => {
  await using lab = await newLab();
  await lab.start("a");
  const CALLBOARD_SECRET_KEY = crypto.getRandomValues(new Uint8Array(32)).toBase64();
  const options = { dataDir: join(lab.home, "b"), env: { ...lab.kv.env, CALLBOARD_SECRET_KEY } };
  await assert.rejects(
    startRealServer(options),
    /secret key does not match the secrets in this store/,
  );
});

/** Runs code with the store in `kv`, and returns the value of its `return`. */
async function onStore({ kv }: Pick<Lab, "kv">, code: string): Promise<unknown> {
  const program = `using kv = await Deno.openKv(Deno.env.get("CALLBOARD_KV"));
    const work = async () => { ${code} };
    console.log(JSON.stringify(await work() ?? null));`;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", "--unstable-kv", program],
    env: kv.env,
  });
  return JSON.parse(new TextDecoder().decode((await command.output()).stdout));
}

const keyOf = (key: Deno.KvKey) => JSON.stringify(key);

test("servers that start together upgrade an earlier store", async () => {
  await using lab = await newLab({}, await oldData());
  const [a, b] = await Promise.all([lab.start("a"), lab.start("b")]);
  const output = a.output() + b.output();
  assert.match(output, /"event":"upgrade_not_copied","reason":"KV Connect"/);
  assert.match(output, /"event":"upgrade_finished"/);
  await Promise.all([a, b].map((server) => server.end("SIGTERM")));

  await onStore(lab, `await kv.set(${keyOf(rowKeys.storeVersion())}, 1000)`);
  await assert.rejects(lab.start("a"), /written by a later version.*or restore a backup/);
});

test("a link from the command line sets a password for all servers", async () => {
  await using lab = await newLab();
  const [a, b] = [await lab.start("a"), await lab.start("b")];
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "user", "first-link", "--login", ADMIN.login],
    env: { ...lab.kv.env, CALLBOARD_DATA: join(lab.home, "c") },
  });
  const printed = new TextDecoder().decode((await command.output()).stdout);
  const [path] = /\/auth\/link\/\S+/.exec(printed)!;
  const use = async (server: RealServer) => {
    const body = new URLSearchParams({ password: ADMIN.password });
    const answer = await fetch(new URL(path, server.url), {
      method: "POST",
      body,
      redirect: "manual",
    });
    await answer.body?.cancel();
    return answer.status;
  };
  const statuses = await Promise.all([use(a), use(b)]);
  assert.deepEqual(statuses.toSorted(), [303, 404]);
  assert.equal((await b.api("GET", "/api/user")).status, 401, "an earlier session");
  await signIn(a.url);
});
