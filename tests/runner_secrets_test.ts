import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { conceal } from "@/lib/base/secret.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { startProgram } from "@/lib/runner/program/program.ts";
import { outputsOf } from "@/lib/tasks/outputs.ts";
import { getTaskRow } from "@/lib/tasks/repository.ts";
import { isFinished } from "@/lib/tasks/status.ts";
import { newQueue, type Queue } from "./support/queue.ts";
import { leftovers, newRunBench } from "./support/run_bench.ts";
import { FACTS, newRunner, runnerApi } from "./support/runners.ts";
import { writtenForms } from "./support/secret_corpus.ts";
import { textsIn } from "./support/texts_in.ts";
import { until } from "./support/until.ts";
import type { World } from "./support/world.ts";

/** Serves a world without encryption, and records all traffic as a proxy behind TLS could. */
function serveRecorded(world: World) {
  const traffic: string[] = [];
  const record = (bytes: Uint8Array) => {
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = new TextDecoder().decode(isZipped ? gunzipSync(bytes) : bytes);
    traffic.push(text);
    const plan = /"plan":"([^"]+)"/.exec(text)?.[1];
    if (plan) traffic.push(atob(plan));
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (req) => {
    const { pathname, search } = new URL(req.url);
    const body = new Uint8Array(await req.arrayBuffer());
    record(body);
    const { method, headers } = req;
    const response = await world.request(pathname + search, { method, headers, body });
    const answer = new Uint8Array(await response.arrayBuffer());
    record(answer);
    return new Response(answer, response);
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, traffic, stop: () => server.shutdown() };
}

/** Returns the arguments of all processes. */
function allArguments(): string {
  let text = "";
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      text += Deno.readTextFileSync(`/proc/${name}/cmdline`) + "\n";
    } catch {
      // The process has ended.
    }
  }
  return text;
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (isFile) yield await Deno.readTextFile(path);
  }
}

/** Creates three tasks with secrets of all kinds. Two fail: their key or their address is wrong. */
async function startTasks(world: World, makeTemplate: Queue["makeTemplate"]) {
  let count = 0;
  const secrets: string[] = [];
  const secret = (kind: string) => {
    const text = `${kind}-${++count}-s3cr&t "$HOME" ${crypto.randomUUID().slice(0, 8)}`;
    secrets.push(text);
    return text;
  };
  const make = async (noun: string, body: object): Promise<number> => {
    const made = await world.api("alice", "POST", `/api/project/${world.web.id}/${noun}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const password = (kind: string) =>
    make("keys", {
      name: kind,
      type: "login_password",
      login_password: { login: "root", password: secret(kind) },
    });
  const stored = (type: string, name: string) => ({
    type,
    name,
    secret: secret(type),
    operation: "create",
  });
  const asked = (name: string, target: string) => ({
    name,
    title: name,
    type: "secret",
    target,
    required: true,
  });
  const inventory = async (name: string, key: number) =>
    await make("inventory", {
      name,
      type: "static",
      inventory: "web",
      ssh_key_id: key,
      become_key_id: await password(`become ${name}`),
    });
  const vault = async (name: string) => ({
    name,
    type: "password",
    vault_key_id: await password(`vault ${name}`),
  });
  const environment_id = await make("environment", {
    name: "Secrets",
    secrets: [
      stored("var", "S_VAR"),
      stored("var", "S_OTHER"),
      stored("env", "S_ENV"),
      stored("env", "CALLBOARD_STAND_IN_ECHO"),
    ],
    env: JSON.stringify({
      CALLBOARD_STAND_IN_DUMP: "1",
      CALLBOARD_STAND_IN_SLEEP_MS: "700",
      CALLBOARD_STAND_IN_OUTPUT: "version=1.2",
    }),
  });
  const common = { runner_tag: "dmz", environment_id, allow_parallel_tasks: true };
  const good = await makeTemplate({
    ...common,
    name: "Good",
    inventory_id: await inventory("one", await password("login")),
    vaults: [await vault("a"), await vault("b")],
    survey_vars: [asked("a_var", ""), asked("A_ENV", "env"), asked("another", "")],
  });
  const open = "-----BEGIN OPENSSH PRIVATE KEY-----";
  const private_key = `${open}\nb3BlbnNzaC1rZXktdjEzzzzzz\n-----END OPENSSH PRIVATE KEY-----\n`;
  secrets.push("b3BlbnNzaC1rZXktdjEzzzzzz");
  const key = await make("keys", {
    name: "Ssh",
    type: "ssh",
    ssh: { login: "git", passphrase: secret("passphrase"), private_key },
  });
  const wrongKey = await makeTemplate({
    ...common,
    name: "Key",
    inventory_id: await inventory("two", key),
  });
  secrets.push("t0ken-of-the-repository");
  const repository_id = await make("repositories", {
    name: "Far",
    git_url: "https://t0ken-of-the-repository@127.0.0.1:9/x.git",
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const far = await makeTemplate({ ...common, name: "Far", repository_id });
  const answers = {
    a_var: secret("answer"),
    A_ENV: secret("answer"),
    another: secret("answer"),
  };
  const ids = [
    await make("tasks", { template_id: good, secret: answers }),
    await make("tasks", { template_id: wrongKey }),
    await make("tasks", { template_id: far }),
  ];
  return { ids, secrets };
}

Deno.test("secrets of remote tasks are in no traffic, row, log, argument or file", async () => {
  await using queue = await newQueue();
  await using bench = await newRunBench();
  const { world } = queue;
  queue.dispatch();
  const server = serveRecorded(world);
  const keys = await newRunnerKeys();
  const { registrationToken } = await newRunner(world, { labels: ["dmz"] });
  const { body: { runner_id: runnerId, token } } = await runnerApi(world, "/api/runner/register", {
    body: { token: registrationToken, public_key: keys.publicKey, name: "dmz", facts: FACTS },
  });
  const log: unknown[] = [];
  const program = startProgram({
    environment: bench.environment,
    target: { server: server.url, token: conceal(token), caCerts: [] },
    runnerId,
    privateKey: keys.privateKey,
    facts: FACTS,
    tokens: { issued: Date.now(), keep: () => Promise.resolve() },
    once: false,
    drainMs: 0,
    log: (...line) => void log.push(line),
    onStatus: () => {},
  });
  const { ids, secrets } = await startTasks(world, queue.makeTemplate);
  let seen = "";
  await until(async () => {
    seen += allArguments();
    const tasks = await Promise.all(ids.map((id) => getTaskRow(world.kv, world.web.id, id)));
    return tasks.every(({ status }) => isFinished(status));
  }, 60_000);
  program.drain();
  await program.ended;
  world.deps.remote.close();
  await server.stop();
  const ended = await Promise.all(ids.map((id) => queue.row(id)));
  assert.deepEqual(ended.map(({ status, runner_id }) => [status, runner_id]), [
    ["success", runnerId],
    ["error", runnerId],
    ["error", runnerId],
  ]);
  const outputs = await outputsOf(world.kv, world.web.id, ids[0]);
  assert.deepEqual([...outputs], [["version", "1.2"]]);
  const rows = await Array.fromAsync(world.kv.list({ prefix: [] }));
  const files = (await Array.fromAsync(filesIn(bench.environment.dataDir))).join("\n");
  const places = {
    traffic: server.traffic.join("\n"),
    rows: textsIn(rows),
    "the server's log": JSON.stringify(world.log),
    "the runner's log": JSON.stringify(log),
    arguments: seen,
    files,
  };
  assert.ok(places.traffic.includes("***") && seen.includes("ansible"), "nothing was recorded");
  assert.deepEqual(leftovers(bench), []);
  assert.ok(secrets.length >= 15, `${secrets.length}`);
  const hits = Object.entries(places).flatMap(([place, text]) =>
    secrets.filter((secret) => [...writtenForms(secret)].some((form) => text.includes(form)))
      .map((secret) => `${secret} in ${place}`)
  );
  assert.deepEqual(hits, []);
});
