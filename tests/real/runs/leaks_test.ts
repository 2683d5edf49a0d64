import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadSecretKeys } from "@/lib/access/secret_keys.ts";
import { readSourceSettings } from "@/lib/execution/sources/settings.ts";
import { conceal } from "@/lib/base/secret.ts";
import { backUpServer } from "@/lib/maintenance/server_backup/back_up.ts";
import { restoreServer } from "@/lib/maintenance/server_backup/restore.ts";
import { RUNNER_ABILITIES } from "@/lib/runner/protocol.ts";
import { startProgram } from "@/lib/runner/program/program.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { isFinished } from "@/lib/model/status.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { readableAddresses, readAll, requireNoLeak } from "@/tests/support/programs/leak_search.ts";
import { findProcesses, watchProcesses } from "@/tests/support/basics/processes.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";
import {
  addSecretWays,
  CANARY,
  newSecretSources,
  type SecretSources,
  type SecretTask,
} from "@/tests/support/programs/secret_ways.ts";
import { newQueue } from "@/tests/support/server/queue.ts";
import { newRealBench } from "@/tests/support/programs/real_ansible.ts";
import { linesOf } from "@/tests/support/server/remote_stage.ts";
import { leftovers, type RunBench } from "@/tests/support/server/run_bench.ts";
import { FACTS, newRunner, runnerApi } from "@/tests/support/world/runners.ts";
import { textsIn } from "@/tests/support/basics/texts_in.ts";
import { until } from "@/tests/support/basics/until.ts";
import type { World } from "@/tests/support/world/world.ts";

const PASSPHRASE = "only for the backup of this test";

/** Fails unless plays had each secret that can be read, and Ansible reached all hosts. */
function requireUsed({ secrets, readable }: SecretSources, logs: string[]): void {
  const log = logs.join("\n");
  for (const way of readable) {
    const digest = createHash("sha256").update(secrets.get(way)!).digest("hex");
    assert.ok(log.includes(digest), `no play had: ${way}`);
  }
  for (const n of [2, 3, 4]) assert.ok(log.includes(`reached host${n}`), log);
}

Deno.test("no way on which a secret reaches a task leaks it, also if the server is killed", async () => {
  await using sources = await newSecretSources();
  const port = freePort();
  await using project = await newRealProject({
    env: {
      ...sources.settings,
      CALLBOARD_PORT: String(port),
      CALLBOARD_URL: `http://127.0.0.1:${port}/`,
      CALLBOARD_BACKUP_PASSPHRASE: PASSPHRASE,
    },
  });
  const { dataDir, home, id: projectId } = project;
  const ways = await addSecretWays(sources, {
    projectId,
    labels: "",
    call: (...call) => project.server.api(...call),
  });
  using watch = watchProcesses();
  const startAll = (tasks: SecretTask[], seconds = 0) =>
    Promise.all(
      tasks.map(({ template, input }) =>
        project.startTask(template, { ...input, environment: JSON.stringify({ seconds }) })
      ),
    );
  const done = await startAll(ways.tasks);
  const ended = await Promise.all(done.map((id) => project.ended(id)));
  const logs = ended.map(({ log }) => log);
  assert.deepEqual(
    ended.map(({ task }) => task.status),
    ways.tasks.map(({ end }) => end),
    logs.join("\n"),
  );
  requireUsed(sources, logs);

  const waiting = await startAll(ways.tasks.filter(({ end }) => end === "success"), 600);
  await Promise.all(
    waiting.map((id) =>
      until(async () => (await project.log(id)).includes("TASK [Wait]"), 120_000)
    ),
  );
  const addresses = await readableAddresses({
    ...ways.ids,
    projectId,
    taskId: [...done, ...waiting],
  });
  const ask = (path: string, signal: AbortSignal) =>
    fetch(new URL(path, project.server.url), {
      headers: { Cookie: project.server.cookie },
      signal,
    });
  // Pages and raw outputs end with the task.
  const live = addresses.filter((path) => /^\/api\/.*\/tasks\/\d+(\/(?!raw)|$)/.test(path));
  const whileRunning = await readAll(live, ask);
  let rows = "";
  await project.restart("SIGKILL", async () => {
    using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
    rows = textsIn(await Array.fromAsync(kv.list({ prefix: [] })));
  });
  for (const id of waiting) assert.equal((await project.ended(id)).task.status, "error");
  await until(() => findProcesses(dataDir, [project.server.pid]).length === 0, 60_000);
  await sources.addIssued();
  await requireNoLeak(sources.secrets, {
    "answers while tasks run": { text: whileRunning },
    "answers after the kill": { text: await readAll(addresses, ask) },
    "answers of this test": { text: project.answers.join("\n") },
    "rows of the killed server": { text: rows },
    arguments: { text: [...watch.commands].join("\n") },
    files: { path: dataDir },
    "a restored backup": { path: await backUpAndRestore(dataDir, home) },
    "the server's log": { text: project.printed(), sign: "ansible_found" },
  });
  const planted = { text: btoa(sources.secrets.get("asked vault")!) + CANARY };
  await assert.rejects(requireNoLeak(sources.secrets, { planted }), /asked vault in planted/);
});

/** Returns the folder of a server that a backup of this one was restored to. */
async function backUpAndRestore(dataDir: string, home: string): Promise<string> {
  const configOf = (dataDir: string) => ({
    dataDir,
    kv: join(dataDir, "callboard.kv"),
    version: "",
  });
  const file = join(home, "backup");
  const restored = join(home, "restored");
  await backUpServer({
    config: configOf(dataDir),
    store: { id: crypto.randomUUID(), made: new Date().toISOString() },
    secretKeys: await loadSecretKeys(new Map(), dataDir),
    passphrase: PASSPHRASE,
    to: file,
    workFactor: 10,
  });
  await restoreServer({
    config: configOf(restored),
    secretKeySetting: undefined,
    passphrase: PASSPHRASE,
    from: file,
  });
  return restored;
}

/** Starts a runner of a world that reads secrets itself, and records all of its traffic. */
async function startRecorded(world: World, bench: RunBench) {
  const keys = await newRunnerKeys();
  const { registrationToken } = await newRunner(world, { labels: ["dmz"] }, null);
  const facts = { ...FACTS, abilities: [...RUNNER_ABILITIES] };
  const { body: { runner_id: runnerId, token } } = await runnerApi(world, "/api/runner/register", {
    body: { token: registrationToken, public_key: keys.publicKey, name: "dmz", facts },
  });
  const traffic: string[] = [];
  const record = (bytes: Uint8Array) => {
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = new TextDecoder().decode(isZipped ? gunzipSync(bytes) : bytes);
    traffic.push(text);
    const plan = /"plan":"([^"]+)"/.exec(text)?.[1];
    if (plan) traffic.push(atob(plan));
  };
  // As a proxy in front of the server sees it, which ends TLS.
  const onError = () => new Response(null, { status: 502 }); // The runner ends calls at its end.
  const options = { port: 0, hostname: "127.0.0.1", onListen() {}, onError };
  const server = Deno.serve(options, async (req) => {
    const { pathname, search } = new URL(req.url);
    const body = new Uint8Array(await req.arrayBuffer());
    record(body);
    const { method, headers } = req;
    const response = await world.request(pathname + search, { method, headers, body });
    const answer = new Uint8Array(await response.arrayBuffer());
    record(answer);
    return new Response(answer, response);
  });
  const log: unknown[] = [];
  const program = startProgram({
    environment: bench.environment,
    target: {
      server: `http://127.0.0.1:${server.addr.port}`,
      token: conceal(token),
      caCerts: [],
    },
    runnerId,
    privateKey: keys.privateKey,
    facts,
    tokens: { issued: Date.now(), keep: () => Promise.resolve() },
    once: false,
    drainMs: 0,
    log: (...line) => void log.push(line),
    onStatus: () => {},
  });
  return {
    runnerId,
    traffic,
    log,
    async end() {
      program.drain();
      await program.ended;
      world.deps.remote.close();
      await server.shutdown();
    },
  };
}

Deno.test("nothing leaks through a runner, nor into its traffic behind the end of TLS", async () => {
  await using sources = await newSecretSources();
  const url = new URL("http://callboard.test/");
  await using queue = await newQueue({ config: { url, personalOnRunners: true } });
  await using bench = await newRealBench();
  const { world } = queue;
  const settings = readSourceSettings({ get: (name) => sources.settings[name] });
  bench.environment.sources = { ...settings, networks: null };
  queue.dispatch();
  const runner = await startRecorded(world, bench);
  const projectId = world.web.id;
  const call = (method: string, path: string, body?: unknown) =>
    world.api("erin", method, path, body);
  const ways = await addSecretWays(sources, { projectId, labels: "dmz", call });
  using watch = watchProcesses();
  const ids: number[] = [];
  for (const { template, input } of ways.tasks) {
    const made = await call("POST", `/api/project/${projectId}/tasks`, {
      template_id: template,
      ...input,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    ids.push(made.body.id);
  }
  const check = `/api/project/${projectId}/templates/${ways.unattended}/check`;
  ids.push((await call("POST", check)).body.id);
  const rows = () => Promise.all(ids.map((id) => queue.row(id)));
  await until(async () => (await rows()).every(({ status }) => isFinished(status)), 120_000);
  await runner.end();
  const logs = (await Promise.all(ids.map((id) => linesOf(queue, id)))).flat();
  assert.deepEqual(
    (await rows()).map(({ status, runner_id }) => [status, runner_id]),
    [...ways.tasks.map(({ end }) => end), "success"].map((end) => [end, runner.runnerId]),
    logs.join("\n"),
  );
  requireUsed(sources, logs);
  const { body: events } = await call("GET", `/api/project/${projectId}/events`);
  for (const id of ids) {
    const its = events.filter(({ object_type, object_id, description }: Record<string, unknown>) =>
      object_type === "task" && object_id === id && /finished|failed/.test(String(description))
    );
    assert.equal(its.length, 1, `ends of task ${id}`);
  }
  assert.deepEqual(leftovers(bench), []);
  assert.equal(sources.vault.leases.size, 0);
  await sources.addIssued();
  const addresses = await readableAddresses({ ...ways.ids, projectId, taskId: ids });
  const headers = { Cookie: `callboard=${world.people.erin.token}` };
  await requireNoLeak(sources.secrets, {
    traffic: { text: runner.traffic.join("\n") },
    answers: { text: await readAll(addresses, (path) => world.request(path, { headers })) },
    rows: { text: textsIn(await Array.fromAsync(world.kv.list({ prefix: [] }))) },
    arguments: { text: [...watch.commands].join("\n") },
    "files of the runner": { path: bench.environment.dataDir, sign: "ssh-ed25519" },
    logs: { text: JSON.stringify([world.log, runner.log]), sign: "info" },
  });
});
