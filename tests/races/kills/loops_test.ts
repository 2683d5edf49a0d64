import assert from "node:assert/strict";
import { join } from "node:path";
import { workers } from "@/lib/web/server/background.ts";
import { startReceiver } from "@/tests/support/services/alerting.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";
import { newRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { addThings, callOf, type Things } from "@/tests/support/programs/things_for_loops.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newVault } from "@/tests/support/services/vault.ts";
import { putWork, unknownKinds } from "@/tests/support/server/work_of_kinds.ts";

/** Number of kills, each at a random moment. */
const KILLS = Number(Deno.env.get("KILLS") ?? 5);
/** Longest time that a server has for its work before it is killed. */
const LIFE_MS_MAX = 1_500;
/** Finished tasks of a template that are kept. */
const KEPT = 4;
const FEED_MAX = 100;
const SETTLE_MS = 120_000;
const METRICS_TOKEN = "for-prometheus";

/** An event as the audit log has it. */
interface Event {
  id: string;
  time: string;
  object_type: string;
  object_id: number;
  object_name: string;
  action: string;
}

const isEnd = ({ action }: Event) => /^(finished|stopped)/.test(action);
const isQueued = ({ action }: Event) => action === "queued";

/** Returns the events in the log. A batch whose confirmation was lost with the server is twice. */
async function auditedIn(file: string, type = ""): Promise<Event[]> {
  const text = await Deno.readTextFile(file);
  const lines = new Set(text.split("\n").filter((line) => line !== ""));
  return Array.from(lines, (line): Event => JSON.parse(line))
    .filter(({ object_type }) => object_type.includes(type));
}

/** Events of the time in which the server was killed again and again. */
interface Story {
  /** Tasks that check, and the first ones of those that are repeated automatically. */
  checks: number[];
  firsts: number[];
  /** Times at which a server was dead. */
  deaths: string[];
  /** Kinds of jobs that were done. */
  kinds: Set<string>;
}

/** Kills the server while all loops have work. */
async function killAgainAndAgain(project: RealProject, things: Things): Promise<Story> {
  const { work, failing, retried, built, workflow, toolchain } = things;
  const { id } = project;
  const checks: number[] = [];
  const firsts: number[] = [];
  const deaths: string[] = [];
  const kinds = new Set<string>();
  const putMore = (task_id: number) =>
    putWork(join(project.dataDir, "callboard.kv"), {
      ...{ project_id: id, template_id: work, task_id },
      ...{ rule_id: things.rule, schedule_id: things.schedule },
    });
  for (let kill = 0; kill < KILLS; kill++) {
    assert.ok(await callOf(project, "POST", `workflows/${workflow}/run`));
    await project.startTask(failing);
    firsts.push(await project.startTask(retried));
    await project.startTask(built);
    const task = await project.startTask(work);
    // One of the template may still be open.
    const check = await callOf(project, "POST", `templates/${work}/check`);
    if (check) checks.push(check.id);
    await project.server.api("POST", `/api/project/${id}/toolchains/${toolchain}/build`);
    const { body: other } = await project.server.api("POST", "/api/projects", { name: "Other" });
    await project.server.api("DELETE", `/api/project/${other.id}`);
    await new Promise((done) => setTimeout(done, Math.random() * LIFE_MS_MAX));
    for (const kind of await kindsDone(project)) kinds.add(kind);
    const whileDown = () => {
      deaths.push(new Date().toISOString());
      return putMore(task);
    };
    await project.restart("SIGKILL", whileDown).catch((cause) => {
      throw new Error(`After this output of the server:\n${project.printed()}`, { cause });
    });
  }
  const build = () => project.get(`toolchains/${toolchain}/build`);
  await until(async () => (await build()).state === "failed", SETTLE_MS);
  return { checks, firsts, deaths, kinds };
}

/** Returns the kinds of jobs that the current server has done. */
async function kindsDone({ server }: RealProject): Promise<string[]> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(new URL("/metrics", server.url), { headers })).text();
  return [...text.matchAll(/job_attempts_total\{kind="(\w+)",result="done"\}/g)]
    .map(([, kind]) => kind);
}

/** Waits until all tasks and jobs are done, but for those that are repeated for ever. */
async function requireJobsDone(project: RealProject, kinds: Set<string>): Promise<void> {
  const jobs = async (): Promise<{ kind: string; waiting: number; running: number }[]> =>
    (await project.server.api("GET", "/api/jobs")).body;
  const isDone = async () =>
    (await jobs()).every(({ kind, waiting, running }) =>
      running === 0 && (waiting === 0 || PERIODIC.has(kind))
    );
  const hasEnded = ({ status }: { status: string }) => /^(success|error|stopped)$/.test(status);
  // The end of a task puts jobs, and jobs start tasks.
  const isSettled = async () =>
    await isDone() && (await project.get("tasks?count=200")).every(hasEnded) && await isDone();
  await until(isSettled, SETTLE_MS);
  for (const kind of await kindsDone(project)) kinds.add(kind);
  const all = workers.map(({ kind }) => kind.name);
  assert.deepEqual(all.filter((kind) => !kinds.has(kind)), [], "kinds of jobs that were not done");
  const { body: setAside } = await project.server.api("GET", "/api/jobs/set_aside");
  assert.deepEqual(setAside, []);
}

const PERIODIC = new Set(
  workers.filter(({ everyMs }) => everyMs !== undefined).map(({ kind }) => kind.name),
);

/** Waits for the ends of all tasks and runs. Fails if one has ended twice, or began twice. */
async function requireOneEnd(
  audit: string,
  { checks, firsts, deaths }: Story,
): Promise<{ queued: number[]; failed: Event[] }> {
  const find = async (type: string, fits: (event: Event) => boolean) =>
    (await auditedIn(audit, type)).filter(fits)
      .toSorted((a, b) => a.object_id - b.object_id);
  const idsOf = async (fits: (event: Event) => boolean) =>
    (await find("task", fits)).map(({ object_id }) => object_id);
  const runs = () => find("workflow", (event) => isEnd(event) && event.object_name === "Release");
  const retried = () => find("task", (event) => isQueued(event) && event.object_name === "Retried");
  const repeated = async () => {
    const cut = cutShort(await auditedIn(audit, "task"), deaths);
    return firsts.filter((id) => !cut.has(id)).length;
  };
  // Events are written after their commits.
  const isWritten = async () =>
    (await runs()).length >= KILLS && (await retried()).length >= KILLS + await repeated();
  await until(isWritten, SETTLE_MS);
  const queued = await idsOf(isQueued);
  await until(async () => (await idsOf(isEnd)).length >= queued.length, SETTLE_MS);
  assert.deepEqual(await idsOf(isEnd), queued, "each task ends once");
  assert.equal(new Set(queued).size, queued.length);
  assert.equal((await runs()).length, KILLS, "each run ends once");
  const all = await auditedIn(audit);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length, "a repeated event differs");
  requireStarts(
    (await find("task", isQueued)).filter(({ object_id }) => !checks.includes(object_id)),
    { retried: KILLS + await repeated() },
  );
  const ended = await find("task", ({ action }) => action === "finished_error");
  return { queued, failed: ended.filter(({ object_id }) => !checks.includes(object_id)) };
}

/** Returns the tasks that ran when a server died. No automatic retry follows them. */
function cutShort(events: Event[], deaths: string[]): Set<number> {
  const timesOf = (fits: (event: Event) => boolean) =>
    new Map(events.filter(fits).map(({ object_id, time }) => [object_id, time]));
  const starts = timesOf(({ action }) => action === "starting");
  const ends = [...timesOf(isEnd)];
  const isCut = ([id, end]: [number, string]) =>
    deaths.some((death) => starts.get(id)! <= death && death < end);
  return new Set(ends.filter(isCut).map(([id]) => id));
}

/** Fails if something was started twice. Builds and steps that are killed have no followers. */
function requireStarts(queued: Event[], { retried }: { retried: number }): void {
  const counts = Object.entries(Object.groupBy(queued, ({ object_name }) => object_name))
    .map(([name, some]) => [name, some!.length] as const);
  for (const [name, count] of counts) {
    const most = name === "Retried" || name === "Scheduled" ? 2 * KILLS : KILLS;
    assert.ok(count <= most, `${count} tasks of ${name}`);
  }
  const count = (name: string) => new Map(counts).get(name);
  for (const name of ["Work", "Failing", "Built", "First"]) assert.equal(count(name), KILLS, name);
  assert.equal(count("Retried"), retried);
  // A look at a repository that is put again while it is due is one look.
  assert.ok(count("Scheduled")! > KILLS);
}

/** Fails unless each failure was reported, and none in each of two ways. */
async function requireAlerts(
  project: RealProject,
  { feed }: Things,
  failed: Event[],
  alerted: () => number[],
): Promise<void> {
  // A task that is retried automatically is not reported, but its last retry is.
  const { true: again = [], false: once = [] } = Object.groupBy(
    failed,
    ({ object_name }) => `${object_name === "Retried"}` as const,
  );
  const count = once.length + KILLS;
  await until(() => new Set(alerted()).size >= count, SETTLE_MS);
  const isAgain = (id: number) => again.some(({ object_id }) => object_id === id);
  const ids = [...new Set(alerted())].toSorted((a, b) => a - b);
  assert.deepEqual(ids.filter((id) => !isAgain(id)), once.map(({ object_id }) => object_id));
  assert.equal(ids.filter(isAgain).length, KILLS);
  // An alert whose confirmation was lost with the server is sent again.
  assert.ok(alerted().length <= count + KILLS, "alerts are sent again and again");
  const atom = await (await fetch(new URL(`/api/feeds/${feed}`, project.server.url))).text();
  const entries = [...atom.matchAll(/<id>(.*)<\/id>/g)].map(([, id]) => id);
  assert.equal(new Set(entries).size, entries.length, "an entry of the feed is twice");
  assert.ok(entries.length >= Math.min(count, FEED_MAX), `${entries.length} entries`);
}

/** Stops the server, and fails if it has left work, a file, a process or a part of an old task. */
async function requireNothingLeft(
  project: RealProject,
  { work, failing, templates }: Things,
  { queued, checks }: { queued: number[]; checks: number[] },
): Promise<void> {
  const { get, dataDir } = project;
  const kept = async (template: number): Promise<number[]> =>
    (await get(`templates/${template}/tasks?count=200`)).map(({ id }: { id: number }) => id)
      .filter((id: number) => !checks.includes(id));
  for (const template of [work, failing]) {
    await until(async () => (await kept(template)).length <= KEPT, SETTLE_MS);
  }
  const left = new Set([...checks, ...(await Promise.all(templates.map(kept))).flat()]);
  await project.server.end("SIGTERM");
  using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  const gone = new Set(queued.filter((id) => !left.has(id)));
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

Deno.test(name, async () => {
  assert.deepEqual(unknownKinds(), [], "give these kinds of jobs work in work_of_kinds.ts");
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
        CALLBOARD_METRICS_TOKEN: METRICS_TOKEN,
        CALLBOARD_KEEP_TASKS_PER_TEMPLATE: String(KEPT),
        CALLBOARD_STOP_GRACE_SECONDS: "1",
      },
    });
    const things = await addThings(project, vault, receiver.url);
    const story = await killAgainAndAgain(project, things);
    await requireJobsDone(project, story.kinds);
    const { queued, failed } = await requireOneEnd(audit, story);
    const files = join(project.dataDir, "leases");
    await until(() => [...Deno.readDirSync(files)].length === 0, SETTLE_MS);
    // No server knows a lease whose answer was on its way. It expires.
    assert.ok(vault.leases.size <= KILLS, `${vault.leases.size} leases`);
    const alerted = () => receiver.calls.flatMap(({ body }) => body.task ? [body.task.id] : []);
    await requireAlerts(project, things, failed, alerted);
    // Old tasks are removed soon after a start.
    await project.restart("SIGTERM");
    await requireNothingLeft(project, things, { queued, checks: story.checks });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
