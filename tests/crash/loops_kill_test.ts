import assert from "node:assert/strict";
import { join } from "node:path";
import { startReceiver } from "../support/alerting.ts";
import { freePort } from "../support/kv_server.ts";
import { findProcesses } from "../support/processes.ts";
import { addPlays } from "../support/real_plays.ts";
import { newRealProject, type RealProject } from "../support/real_project.ts";
import { installStandIn } from "../support/real_server.ts";
import { until } from "../support/until.ts";
import { newVault, ROOT_TOKEN, type VaultStandIn } from "../support/vault.ts";

/** Number of kills, each at a random moment. Without KILLS=30 or so, this file is left out. */
const KILLS = Number(Deno.env.get("KILLS"));
/** Finished tasks of a template that are kept. */
const KEPT = 4;
const FEED_MAX = 100;
const SETTLE_MS = 120_000;

/** Work that each loop has found when it has done everything. */
const DUE = [
  ["alerts_due"],
  ["drift_due"],
  ["jobs"],
];

/** An event as the audit log has it. */
interface Event {
  id: string;
  object_type: string;
  object_id: number;
  action: string;
}

const isEnd = ({ action }: Event) => /^(finished|stopped)/.test(action);
const isQueued = ({ action }: Event) => action === "queued";

async function auditedIn(file: string, type = ""): Promise<Event[]> {
  const text = await Deno.readTextFile(file);
  return text.split("\n").filter((line) => line !== "").map((line): Event => JSON.parse(line))
    .filter(({ object_type }) => object_type.includes(type));
}

/** Calls the API below the project. */
async function call({ server, id }: RealProject, method: string, path: string) {
  const { status, body } = await server.api(method, `/api/project/${id}/${path}`, {});
  return status < 300 ? body : null;
}

/** Creates what gives each loop something to do. */
async function setUp(project: RealProject, vault: VaultStandIn, url: string) {
  const { make, makeTemplate } = project;
  const { repository_id } = await addPlays(project, "- hosts: all\n  tasks: []\n");
  const storage_id = await make("secret_storages", {
    name: "Vault",
    type: "vault",
    params: { url: vault.url, ca_certificate: vault.ca },
    secret: ROOT_TOKEN,
    allow_private: true,
  });
  const source = { storage_id, path: "/database/creds/app", field: "password" };
  const template = async (name: string, exit: string, secrets: object[]) => {
    const env = {
      CALLBOARD_STAND_IN_EXIT: exit,
      CALLBOARD_STAND_IN_LINES: "10",
      CALLBOARD_STAND_IN_SLEEP_MS: "30",
    };
    const environment_id = await make("environment", { name, env: JSON.stringify(env), secrets });
    return await makeTemplate({ repository_id, allow_parallel_tasks: true, name, environment_id });
  };
  const leased = { operation: "create", type: "var", name: "db", source };
  const work = await template("Work", "0", [leased]);
  const failing = await template("Failing", "2", []);
  const workflow = await make("workflows", {
    name: "Release",
    steps: [
      { id: -1, kind: "template", name: "First", template_id: work },
      { id: -2, kind: "template", name: "Second", template_id: work, needs: [{ step: -1 }] },
    ],
  });
  const target = { name: "Ops", kind: "http", allow_private: true, settings: { url } };
  const target_id = await make("alert_targets", target);
  await make("alert_rules", { name: "All", target_id, events: ["failed"], repeat: "each" });
  const { token: feed } = await call(project, "POST", "alert_feed");
  const toolchain = await make("toolchains", { name: "Broken", ansible_core: "0.0.1" });
  return { work, failing, workflow, feed, toolchain };
}
type Things = Awaited<ReturnType<typeof setUp>>;

/** Kills the server while all loops have work. Returns ids of tasks, and the number of runs. */
async function killAgainAndAgain(
  project: RealProject,
  { work, failing, workflow, toolchain }: Things,
) {
  const tasks: number[] = [];
  const checks: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    assert.ok(await call(project, "POST", `workflows/${workflow}/run`));
    tasks.push(await project.startTask(failing), await project.startTask(work));
    // One of the template may still be open.
    const check = await call(project, "POST", `templates/${work}/check`);
    if (check) checks.push(check.id);
    await project.server.api("POST", `/api/project/${project.id}/toolchains/${toolchain}/build`);
    await new Promise((done) => setTimeout(done, Math.random() * 4_000));
    await project.restart("SIGKILL").catch((cause) => {
      throw new Error(`After this output of the server:\n${project.printed()}`, { cause });
    });
  }
  const build = () => project.get(`toolchains/${toolchain}/build`);
  await until(async () => (await build()).state === "failed", SETTLE_MS);
  return { tasks, checks };
}

/** Waits for the ends of all tasks and runs. Fails if one has ended twice, or began twice. */
async function requireOneEnd(
  audit: string,
  { tasks, checks }: { tasks: number[]; checks: number[] },
): Promise<{ queued: number[]; failed: number[] }> {
  const idsOf = async (type: string, fits: (event: Event) => boolean) =>
    (await auditedIn(audit, type)).filter(fits).map(({ object_id }) => object_id)
      .toSorted((a, b) => a - b);
  await until(async () => (await idsOf("workflow", isEnd)).length >= KILLS, SETTLE_MS);
  const queued = await idsOf("task", isQueued);
  await until(async () => (await idsOf("task", isEnd)).length >= queued.length, SETTLE_MS);
  assert.deepEqual(await idsOf("task", isEnd), queued, "each task ends once");
  assert.equal(new Set(queued).size, queued.length);
  assert.equal((await idsOf("workflow", isEnd)).length, KILLS, "each run ends once");
  const steps = queued.filter((id) => ![...tasks, ...checks].includes(id)).length;
  assert.ok(steps >= KILLS && steps <= 2 * KILLS, `${steps} steps of ${KILLS} runs`);
  const all = await auditedIn(audit);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length, "an event was told twice");
  const ended = await idsOf("task", ({ action }) => action === "finished_error");
  return { queued, failed: ended.filter((id) => !checks.includes(id)) };
}

/** Fails unless each failure was reported, and none in each of two ways. */
async function requireAlerts(
  project: RealProject,
  { feed }: Things,
  failed: number[],
  alerted: () => number[],
): Promise<void> {
  await until(() => new Set(alerted()).size >= failed.length, SETTLE_MS);
  assert.deepEqual([...new Set(alerted())].toSorted((a, b) => a - b), failed);
  // An alert whose confirmation was lost with the server is sent again.
  assert.ok(alerted().length <= failed.length + KILLS, "alerts are sent again and again");
  const atom = await (await fetch(new URL(`/api/feeds/${feed}`, project.server.url))).text();
  const entries = [...atom.matchAll(/<id>(.*)<\/id>/g)].map(([, id]) => id);
  assert.equal(new Set(entries).size, entries.length, "an entry of the feed is twice");
  assert.ok(entries.length >= Math.min(failed.length, FEED_MAX), `${entries.length} entries`);
}

/** Stops the server, and fails if it has left work, a file, a process or a part of an old task. */
async function requireNothingLeft(
  project: RealProject,
  { work, failing }: Things,
  { queued, checks }: { queued: number[]; checks: number[] },
): Promise<void> {
  const { get, dataDir } = project;
  const kept = async (template: number): Promise<number[]> =>
    (await get(`templates/${template}/tasks?count=200`)).map(({ id }: { id: number }) => id)
      .filter((id: number) => !checks.includes(id));
  for (const template of [work, failing]) {
    await until(async () => (await kept(template)).length <= KEPT, SETTLE_MS);
  }
  const left = [...await kept(work), ...await kept(failing), ...checks];
  await project.server.end("SIGTERM");
  using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  for (const prefix of DUE) {
    const rows = await Array.fromAsync(kv.list({ prefix }), ({ key }) => key);
    // An alert that was on its way at a kill is due again a minute later.
    const now = new Date().toISOString();
    const left = rows.filter(([, at]) => typeof at !== "string" || at <= now);
    assert.deepEqual(left, [], "work that no loop has done");
  }
  const gone = new Set(queued.filter((id) => !left.includes(id)));
  for await (const { key } of kv.list({ prefix: [] })) {
    const isOfTask = /^task_(log|result|secret|pass|pin)/.test(String(key[0]));
    assert.ok(!isOfTask || !gone.has(Number(key[1])), `${key.join()} is of a removed task`);
  }
  assert.deepEqual(findProcesses(dataDir), []);
  for (const name of ["tasks", "leases"]) {
    const files = await Array.fromAsync(Deno.readDir(join(dataDir, name))).catch(() => []);
    assert.deepEqual(files.map(({ name }) => name), [], name);
  }
}

const name = "loops of a server that is killed again and again lose nothing, and do nothing twice";

Deno.test({ name, ignore: !KILLS }, async () => {
  await using vault = await newVault();
  await using receiver = startReceiver();
  const folder = await Deno.makeTempDir({ prefix: "callboard_loops_" });
  const audit = join(folder, "audit.jsonl");
  try {
    await using project = await newRealProject({
      ansible: (home) => installStandIn(join(home, "bin")),
      env: {
        CALLBOARD_PORT: String(freePort()),
        CALLBOARD_AUDIT_FILE: audit,
        CALLBOARD_KEEP_TASKS_PER_TEMPLATE: String(KEPT),
        CALLBOARD_STOP_GRACE_SECONDS: "1",
      },
    });
    const things = await setUp(project, vault, receiver.url);
    const started = await killAgainAndAgain(project, things);
    const { queued, failed } = await requireOneEnd(audit, started);
    const files = join(project.dataDir, "leases");
    await until(() => [...Deno.readDirSync(files)].length === 0, SETTLE_MS);
    // No server knows a lease whose answer was on its way. It expires.
    assert.ok(vault.leases.size <= KILLS, `${vault.leases.size} leases`);
    const alerted = () => receiver.calls.flatMap(({ body }) => body.task ? [body.task.id] : []);
    await requireAlerts(project, things, failed, alerted);
    // Old tasks are removed soon after a start.
    await project.restart("SIGTERM");
    await requireNothingLeft(project, things, { queued, checks: started.checks });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
