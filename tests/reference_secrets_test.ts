import assert from "node:assert/strict";
import { conceal } from "@/lib/base/secret.ts";
import { RUNNER_ABILITIES } from "@/lib/runner/protocol.ts";
import { startProgram } from "@/lib/runner/program/program.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { isFinished } from "@/lib/tasks/status.ts";
import { newQueue, type Queue } from "./support/queue.ts";
import { newRunBench, type RunBench } from "./support/run_bench.ts";
import { FACTS, newRunner, runnerApi } from "./support/runners.ts";
import { SECRETS, writtenForms } from "./support/secret_corpus.ts";
import { textsIn } from "./support/texts_in.ts";
import { until } from "./support/until.ts";
import { newVault, ROLE_ID, SECRET_ID, type VaultStandIn } from "./support/vault.ts";

const ALL = [...SECRETS, SECRET_ID, "dynamic-swordfish"];

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (isFile) yield await Deno.readTextFile(path).catch(() => "");
  }
}

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

/** Creates a template whose key and variables are in Vault and in a file. */
async function referringTemplate(
  { world, makeTemplate }: Queue,
  vault: VaultStandIn,
): Promise<{ template: number; environment: number; answers: unknown[] }> {
  const answers: unknown[] = [];
  const make = async (noun: string, body: object): Promise<number> => {
    const path = `/api/project/${world.web.id}/${noun}`;
    const made = await world.api("erin", "POST", path, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    answers.push(made.body, (await world.api("erin", "GET", path)).body);
    return made.body.id;
  };
  vault.secrets.set("team/web", { login: "root", password: SECRETS[0], token: SECRETS[1] });
  const storage_id = await make("secret_storages", {
    name: "Team Vault",
    type: "vault",
    params: {
      url: vault.url,
      ca_certificate: vault.ca,
      auth_method: "approle",
      role_id: ROLE_ID,
    },
    secret: SECRET_ID,
    allow_private: true,
  });
  const source = { storage_id, path: "team/web" };
  const ssh_key_id = await make("keys", { name: "Login", type: "login_password", source });
  const secret = (name: string, source: object, type = "var") => ({
    operation: "create",
    type,
    name,
    source,
  });
  const environment = await make("environment", {
    name: "Referring",
    json: "{}",
    env: JSON.stringify({ CALLBOARD_STAND_IN_DUMP: "1" }),
    secrets: [
      secret("token", source),
      secret("CALLBOARD_STAND_IN_ECHO", { ...source, field: "token" }, "env"),
      secret("db", { storage_id, path: "/database/creds/app", field: "password" }),
      secret("of_file", { type: "file", path: "web" }),
    ],
  });
  const inventory_id = await make("inventory", {
    name: "Web",
    type: "static",
    inventory: "web",
    ssh_key_id,
  });
  const template = await makeTemplate({
    name: "Referring",
    inventory_id,
    environment_id: environment,
    runner_tag: "dmz",
  });
  return { template, environment, answers };
}

/** Starts a runner of the queue's world that knows `abilities`. */
async function newDmz({ world }: Queue, bench: RunBench, abilities: string[]) {
  const { registrationToken } = await newRunner(world, { labels: ["dmz"] });
  const keys = await newRunnerKeys();
  const facts = { ...FACTS, abilities };
  const { body: { runner_id: runnerId, token } } = await runnerApi(world, "/api/runner/register", {
    body: { token: registrationToken, public_key: keys.publicKey, name: "dmz", facts },
  });
  const traffic: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (req) => {
    const { pathname, search } = new URL(req.url);
    const body = new Uint8Array(await req.arrayBuffer());
    const { method, headers } = req;
    const response = await world.request(pathname + search, { method, headers, body });
    const answer = new Uint8Array(await response.arrayBuffer());
    traffic.push(new TextDecoder().decode(body), new TextDecoder().decode(answer));
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

Deno.test("secrets that a runner reads are in no answer, row, log, argument, file or backup", async () => {
  await using vault = await newVault();
  await using queue = await newQueue();
  await using bench = await newRunBench();
  const { world } = queue;
  queue.dispatch();
  await Deno.mkdir(`${bench.directory}/secrets`);
  await Deno.writeTextFile(`${bench.directory}/secrets/web`, SECRETS[1]);
  const folders = [`${bench.directory}/secrets`];
  bench.environment.sources = { ...bench.environment.sources, folders, networks: null };
  const dmz = await newDmz(queue, bench, [...RUNNER_ABILITIES]);
  const { template, answers } = await referringTemplate(queue, vault);
  const id = await queue.start(template, { sleepMs: 700 });
  let seen = "";
  await until(async () => {
    seen += allArguments();
    return isFinished((await queue.row(id)).status);
  }, 60_000);
  await dmz.end();
  const row = await queue.row(id);
  assert.equal(row.status, "success", JSON.stringify(row));
  assert.deepEqual(vault.requests.toSorted(), [
    "GET /v1/database/creds/app",
    "GET /v1/secret/data/team/web",
    "POST /v1/auth/approle/login",
    "PUT /v1/auth/token/revoke-self",
  ]);
  assert.equal(vault.leases.size, 0);
  const project = `/api/project/${world.web.id}`;
  const ask = async (path: string) => (await world.api("erin", "GET", project + path)).body;
  const output = JSON.stringify(await ask(`/tasks/${id}/output`));
  assert.match(output, /"\*+"/, "the line that the play prints is masked");
  const rows = await Array.fromAsync(world.kv.list({ prefix: [] }));
  const places = {
    output,
    answers: JSON.stringify([answers, await ask("/events"), await ask(`/tasks/${id}`)]),
    backup: JSON.stringify(await ask("/backup")),
    rows: textsIn(rows),
    traffic: dmz.traffic.join("\n"),
    log: JSON.stringify([world.log, dmz.log]),
    arguments: seen,
    files: (await Array.fromAsync(filesIn(bench.environment.dataDir))).join("\n"),
  };
  assert.match(places.backup, /Team Vault/);
  assert.match(seen, /ansible/);
  const hits = Object.entries(places).flatMap(([place, text]) =>
    ALL.filter((secret) => [...writtenForms(secret)].some((form) => text.includes(form)))
      .map((secret) => `${secret} in ${place}`)
  );
  assert.deepEqual(hits, []);
});

Deno.test("a runner of the previous version gets no plan with references", async () => {
  await using vault = await newVault();
  await using queue = await newQueue();
  await using bench = await newRunBench();
  queue.dispatch();
  const dmz = await newDmz(queue, bench, []);
  const { template } = await referringTemplate(queue, vault);
  const id = await queue.start(template);
  await until(async () => isFinished((await queue.row(id)).status));
  await dmz.end();
  const { status, end_reason } = await queue.row(id);
  assert.equal(status, "error");
  assert.equal(end_reason?.key, "errors.run.runner_too_old");
  assert.deepEqual(vault.requests, []);
});
