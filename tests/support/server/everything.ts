import { createRole } from "@/lib/people/roles/service.ts";
import { transact } from "@/lib/store/transact.ts";
import { queueDriftAlert, queueRunAlert } from "@/lib/alerts/outbox.ts";
import { createRemote } from "@/lib/queue/remote/remote.ts";
import { openAccount, openProject, requireAdmin } from "@/lib/access/scope.ts";
import { saveGroupRules, validateFileRules } from "@/lib/people/group_rules/service.ts";
import { acceptWaiting } from "@/lib/people/identities/service.ts";
import { listWaiting } from "@/lib/people/identities/waiting.ts";
import { makeSignInLink } from "@/lib/people/sign_in_links/service.ts";
import { operatorScope } from "@/lib/people/accounts/operator.ts";
import assert from "node:assert/strict";
import { requireSameKey } from "@/lib/access/same_key.ts";
import { readConfig } from "@/lib/base/settings/config.ts";
import { FIRST_VERSION, migrate, type Migration } from "@/lib/maintenance/migrations.ts";
import { measure } from "@/lib/monitoring/metrics/measure.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { nextIds } from "@/lib/store/ids.ts";
import { runWorker } from "@/lib/workflows/runs/loop.ts";
import { getCursor } from "@/lib/audit/push.ts";
import { recordEvent } from "@/lib/events/record.ts";
import { closeOutbox, openOutbox } from "@/lib/store/outbox_switch.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { readKeys } from "@/lib/task_identity/key_ring.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { importTask } from "@/lib/maintenance/semaphore/import_task.ts";
import { passkeyOptions } from "@/lib/people/sessions/service.ts";
import { addPasskey, newPasskeyOptions } from "@/lib/people/passkeys/service.ts";
import { newAuthenticator } from "@/tests/support/world/authenticator.ts";
import { storeText } from "@/lib/store/stored_texts.ts";
import { readKeptFiles, storeKeptFiles } from "@/lib/resources/common/kept_files.ts";
import { storeHostCount } from "@/lib/resources/inventories/host_counts.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { inventoryRows } from "@/lib/resources/inventories/repository.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { acceptDrift, forgetDrift } from "@/lib/drift/accept.ts";
import { queueFix } from "@/lib/drift/outbox.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { takeWorkTurn } from "@/lib/store/work_turn.ts";
import { queueHosts } from "@/lib/hosts/outbox.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { latestOf, pass, repeatingTemplate, run, startOf } from "@/tests/support/world/attempts.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { addPasswordKey } from "@/tests/support/world/forms.ts";
import { previewedTask } from "@/tests/support/world/previewed_task.ts";
import { enrol, passwordGiven } from "@/tests/support/world/factors.ts";
import { setAside } from "@/tests/support/world/jobs.ts";
import {
  logoutClaims,
  startProvider,
  type TestProvider,
} from "@/tests/support/services/oidc_provider.ts";
import { FACTS, registeredRunner, reusableToken } from "@/tests/support/world/runners.ts";
import { newSsoBrowser, providersOf } from "@/tests/support/services/sso_browser.ts";
import { newTestRunner } from "@/tests/support/world/test_runner.ts";
import { newRunBench } from "./run_bench.ts";
import { signInWithForm } from "@/tests/support/world/sign_in.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";
import { sendAlerts } from "@/tests/support/services/alerting.ts";

/** Creates a world in which everything has happened that leaves a row of its own kind. */
export async function newEverything(): Promise<World> {
  const { alerts } = readConfig({ get: () => undefined }, "");
  const slackUrl = "http://chat.example.com/hook";
  await using provider = await startProvider();
  const world = await newWorld({
    config: { alerts: { ...alerts, slackUrl } },
    deps: { providers: providersOf({ main: provider }, { main: { new_accounts: "ask" } }) },
  });
  await letEverythingHappen(world);
  await useProvider(world, provider);
  await failRepeatedTask(world);
  await keepFiles(world);
  // Last, because tasks would use it.
  const shared = { name: "Ours", kind: "path", path: "/opt/ansible", is_default: true };
  const planned = { message: "A new disk", begins: "2126-01-01T00:00:00Z" };
  assert.equal((await world.api("erin", "PUT", "/api/maintenance", planned)).status, 204);
  assert.equal((await world.api("erin", "POST", "/api/toolchains", shared)).status, 201);
  const tokens = `/api/project/${world.web.id}/tokens`;
  assert.equal((await world.api("alice", "POST", tokens, { name: "CI" })).status, 201);
  return world;
}

/** Keeps files of a run for the next one. */
async function keepFiles(world: World): Promise<void> {
  const { id: projectId, inventoryId, repositoryId } = world.web;
  const { id } = await make(world, `${webOf(world)}/templates`, {
    ...{ name: "Keeps", playbook: "site.yml", app: "ansible", keep_paths: "credentials" },
    ...{ inventory_id: inventoryId, repository_id: repositoryId },
  });
  const keeper = { projectId, kind: "templates", id } as const;
  const { entry } = await readKeptFiles(world.deps, keeper);
  assert.ok(await storeKeptFiles(world.deps, keeper, entry, new Uint8Array(1)));
}

/** Fails a task that is repeated later. */
async function failRepeatedTask(world: World): Promise<void> {
  const fields = { name: "Flaky", retry_minutes: 0 };
  await run(world, await startOf(world, await repeatingTemplate(world, fields)), {
    web1: "failed",
  });
  await pass(world, 0);
  await run(world, (await latestOf(world)).id, { web1: "failed" });
}

/** Ends the upgrade to a later version after its first commit. */
async function endUpgrade({ kv, deps }: World): Promise<void> {
  const later: Migration = async (kv, course) => {
    const op = kv.atomic();
    course.reach(op, rowKeys.task(1, 1));
    await op.commit();
    throw new Error("ended");
  };
  await kv.set(rowKeys.storeCopied(), true);
  await kv.set(rowKeys.storeIdentity(), { id: crypto.randomUUID(), made: "2026-03-01T00:00:00Z" });
  await kv.set(rowKeys.storeWriter(), "1.0.0");
  await kv.set(rowKeys.secretKeyRotation(), { finished: true });
  await kv.set(rowKeys.storeUpgrader(), { owner: "another server", until: 0 });
  await kv.set(rowKeys.storeVersion(), FIRST_VERSION);
  await assert.rejects(migrate(kv, deps.secrets, [later]), /ended/);
}

/** Starts a task with a password that its starter was asked for. */
async function askPassword(world: World): Promise<void> {
  const { inventoryId, repositoryId } = world.web;
  const { id } = await make(world, `${webOf(world)}/templates`, {
    ...{ name: "Asks", playbook: "site.yml", app: "ansible", ask_become_password: true },
    ...{ inventory_id: inventoryId, repository_id: repositoryId },
  });
  const task = { template_id: id, become_password: "sudo" };
  await make(world, `${webOf(world)}/tasks`, task);
}

async function startByForm(world: World): Promise<void> {
  const page = `/project/${world.web.id}/templates/${world.deploy.id}/tasks`;
  assert.equal((await world.post("bob", page, { once: crypto.randomUUID() })).status, 303);
}

async function letEverythingHappen(world: World): Promise<void> {
  await migrate(world.kv, world.deps.secrets);
  await endUpgrade(world);
  await requireSameKey(world.kv, world.deps.secrets);
  await changeAdmins(world);
  await signInAndGuess(world);
  await sendLate(world);
  await useSecondFactor(world);
  await make(world, "/api/user/tokens", {});
  await make(world, "/api/user/keys", { name: "Laptop", generate: true });
  await makeLongInventory(world);
  await countHosts(world);
  await useWebhooks(world);
  await make(world, `${webOf(world)}/views`, {
    title: "Nightly",
    run_by: { roles: ["task_runner"] },
  });
  const galaxy_key_id = await addPasswordKey(world, "Automation Hub");
  const galaxy = { galaxy_url: "https://galaxy.example.com/api/", galaxy_key_id };
  const old = { name: "Old", ansible_core: "2.16", python: "3.99", ...galaxy };
  const { id: toolchainId } = await make(world, `${webOf(world)}/toolchains`, old);
  await make(world, `${webOf(world)}/toolchains/${toolchainId}/build`, undefined, 204);
  await make(world, `${webOf(world)}/schedules`, {
    template_id: world.deploy.id,
    cron_format: "0 3 * * *",
  });
  const brief = { template_id: world.deploy.id, cron_format: "@daily" };
  const { id: briefId } = await make(world, `${webOf(world)}/schedules`, brief);
  await world.api("alice", "DELETE", `${webOf(world)}/schedules/${briefId}`);
  await runWorkflow(world);
  const favourite = { add: String(world.deploy.id) };
  await world.post("bob", `/project/${world.web.id}/templates/favourites`, favourite);
  await runBuild(world);
  await previewOnRunner(world);
  await rememberHosts(world);
  await keepAudit(world);
  await checkHosts(world);
  await retryFailed(world);
  await deleteTask(world);
  await queueWithSecret(world);
  await askPassword(world);
  await previewedTask(world, { message: "" });
  await startByForm(world);
  await beginImport(world);
  await useRunner(world);
  await useAlerts(world);
  await useStorage(world);
  await useGitCredential(world);
  await readKeys(world.deps);
  await measure(world.deps);
}

/**
 * Zoe waits, is let in and signs in, with a group that gives her a role. One of her sessions is
 * ended.
 */
async function useProvider(world: World, provider: TestProvider) {
  const { deps, people } = world;
  const erin = requireAdmin({ deps, actor: people.erin.actor });
  const rule = { provider: "", claim: "groups", value: "staff", gives: "admin" as const };
  await saveGroupRules(erin, { rules: [{ ...rule, project_id: null }] });
  const ofFile = { claim: "groups", value: "staff", gives: "guest" as const, project: "Web shop" };
  await validateFileRules({ ...deps, fileRules: [ofFile] });
  const browser = newSsoBrowser(world);
  const come = () => browser.follow("/api/auth/oidc/main/login?redirect=/account");
  assert.match((await come()).url, /auth\/login/);
  const [{ id }] = await listWaiting(erin);
  await acceptWaiting(erin, id);
  assert.match((await come()).url, /account$/, JSON.stringify(world.log));
  provider.manners.subject = "yan-1";
  provider.manners.claims = { ...provider.manners.claims, email: "yan@corp.example.com" };
  await newSsoBrowser(world).follow("/api/auth/oidc/main/login");
  await browser.ask("http://callboard.test/api/auth/oidc/main/login");
  const logout_token = await provider.sign({
    ...logoutClaims(provider.issuer),
    sub: "nobody",
  });
  const body = new URLSearchParams({ logout_token });
  const path = "/api/auth/oidc/main/backchannel_logout";
  const ended = await world.request(path, { method: "POST", body });
  assert.equal(ended.status, 200, JSON.stringify(world.log));
  await makeSignInLink(openAccount(operatorScope(deps), people.bob.id));
  await make(world, `${webOf(world)}/invites`, { email: "nora@example.com", role: "guest" });
}

async function changeAdmins(world: World) {
  const path = `/api/users/${world.people.mike.id}`;
  const { body } = await world.api("erin", "GET", path);
  for (const admin of [true, false]) {
    assert.equal((await world.api("erin", "PUT", path, { ...body, admin })).status, 204);
  }
}

/** Sends a form after its session has ended. */
async function sendLate(world: World) {
  const { browser } = await signInWithForm(world, "bob");
  const sent = await browser.post("/project/new", { name: "Late", form_page: "1" }, { late: true });
  assert.equal(sent.status, 303);
}

/** A runner polls, and there is a token for others. */
async function useRunner(world: World) {
  const { kv, deps } = world;
  const { id } = await registeredRunner(world);
  const runner = await findRunner(kv, id);
  await touchRunner(deps, runner!, crypto.randomUUID(), FACTS);
  await reusableToken(world);
}

/** A key for git on another host. */
const useGitCredential = (world: World) =>
  make(world, `${webOf(world)}/host_configs`, {
    type: "url",
    host: "https://git.example.com/team",
    ssh_key_id: world.web.keyId,
  });

/** A key and a storage that it refers to. */
async function useStorage(world: World) {
  const path = webOf(world);
  const { id: storage_id } = await make(world, `${path}/secret_storages`, {
    name: "Team Vault",
    type: "vault",
    params: { url: "https://vault.example.com" },
    secret: "hush",
  });
  const source = { storage_id, path: "team/web" };
  await make(world, `${path}/keys`, { name: "Of Vault", type: "ssh", source });
}

/** A target gets a message, a rule holds one back, and someone guesses a password. */
async function useAlerts(world: World) {
  const { deps, kv } = world;
  const path = webOf(world);
  const settings = { server: "http://127.0.0.1:9", token: "hush" };
  const { id: target_id } = await make(world, `${path}/alert_targets`, {
    name: "Push",
    kind: "gotify",
    settings,
  });
  const rule = { name: "Failures", target_id, events: ["failed"] };
  await make(world, `${path}/alert_rules`, rule);
  await make(world, `${path}/alert_feed`, {});
  await make(world, `${path}/alert_rules`, {
    ...rule,
    events: ["drifted"],
    quiet: { from: "00:00", to: "23:59", timezone: "UTC" },
  });
  const drift = {
    event: "drifted" as const,
    project_id: world.web.id,
    template_id: world.deploy.id,
    task_id: 1,
    hosts: ["web1"],
    count: 1,
    left: 0,
    differing: [],
    unchecked: [],
  };
  const nobody = { user_id: null, username: null, user_name: null };
  const run = { workflow_id: 1, workflow_name: "Release", run_id: 1, ...nobody };
  await transact(kv, async (op) => {
    queueDriftAlert(op, deps, drift);
    await queueRunAlert(op, deps, {
      project_id: world.web.id,
      ...run,
      failed: true,
      reason: null,
    });
  });
  await sendAlerts(deps);
  for (let n = 0; n < 6; n++) {
    await world.api(null, "POST", "/api/auth/login", { auth: "mike", password: `wrong ${n}` });
  }
}

/** Carol's browser is remembered, and another sign-in of hers waits for its code. */
async function useSecondFactor(world: World) {
  const { code } = await enrol(world, "carol");
  const browser = await passwordGiven(world, "carol");
  await browser.post("/auth/code", { code: code(), remember: "true" });
  await passwordGiven(world, "carol");
  await usePasskey(world);
}

/** Carol has a passkey, and a sign-in with a passkey has begun. */
async function usePasskey(world: World) {
  const rp = { id: "localhost", origin: "http://localhost" };
  const scope = { deps: world.deps, actor: world.people.carol.actor };
  const device = newAuthenticator({ origin: rp.origin, rpId: rp.id });
  const made = device.add(await newPasskeyOptions(scope, rp, PASSWORD));
  const form = { name: "Key", credential: JSON.parse(made), current_password: PASSWORD };
  await addPasskey(scope, rp, form);
  await passkeyOptions(world.deps, rp, "192.0.2.9");
}

const webOf = (world: World) => `/api/project/${world.web.id}`;

async function make(world: World, path: string, body: unknown, status = 201) {
  const answer = await world.api("alice", "POST", path, body);
  assert.equal(answer.status, status, `POST ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function signInAndGuess(world: World) {
  for (const [password, status] of [[PASSWORD, 204], ["a guess", 401]]) {
    const body = { auth: "alice", password };
    assert.equal((await world.api(null, "POST", "/api/auth/login", body)).status, status);
  }
}

async function deleteTask(world: World) {
  const tasks = `${webOf(world)}/tasks`;
  const { id } = await make(world, tasks, { template_id: world.deploy.id });
  await advance(world.kv, { id, project_id: world.web.id }, "stopped");
  assert.equal((await world.api("erin", "DELETE", `${tasks}/${id}`)).status, 204);
}

async function makeLongInventory(world: World) {
  const hosts = Array.from({ length: 10_000 }, (_, n) => `web${n}.example.com`).join("\n");
  const { keyId } = world.web;
  await make(world, `${webOf(world)}/inventory`, {
    name: "Fleet",
    type: "static",
    inventory: hosts,
    ssh_key_id: keyId,
  });
}

async function countHosts({ kv, web }: World) {
  const found = await inventoryRows.find(kv, web.id, web.inventoryId);
  const row = { ...found!.row, type: "file", inventory: "hosts" } as const;
  await storeHostCount(kv, { entry: found!.entry, row }, 6);
  await storeText(kv, web.id, "hosts", { text: "{}", readAt: "2026-01-01T00:00:00Z" });
}

/** Calls the API as a client that may send a call twice. */
async function sendWithKey({ request, people }: World, path: string, body: unknown) {
  const answer = await request(path, {
    method: "POST",
    headers: { Cookie: `callboard=${people.alice.token}`, "Idempotency-Key": "once" },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, path);
  return await answer.json();
}

/** Starts a workflow with a secret answer, which someone approves. */
async function runWorkflow(world: World): Promise<void> {
  const { id } = await make(world, `${webOf(world)}/workflows`, {
    name: "Release",
    survey_vars: [{ name: "pin", title: "PIN", type: "secret" }],
    steps: [{ kind: "approval", approval: { needed: 2, timeout_minutes: 60 } }],
  });
  const runs = `${webOf(world)}/workflows/${id}`;
  const run = await make(world, `${runs}/run`, { secret: JSON.stringify({ pin: "4711" }) });
  await doDue(world.deps, runWorker);
  await make(world, `${runs}/runs/${run.id}/approvals/1`, { status: "approved" }, 200);
  const secret = JSON.stringify({ pin: "4711" });
  const other = await sendWithKey(world, `${runs}/run`, { secret });
  await sendWithKey(world, "/api/user/options", { key: "pinned", value: "[]" });
  await make(world, `${runs}/runs/${other.id}/stop`, {}, 204);
  await doDue(world.deps, runWorker);
}

async function useWebhooks(world: World) {
  const integrations = `${webOf(world)}/integrations`;
  const { id } = await make(world, integrations, {
    name: "Push",
    template_id: world.deploy.id,
    searchable: true,
    keep_bodies: true,
    if_waiting: "one",
  });
  await make(world, `${integrations}/aliases`, {}, 200);
  const { url } = await make(world, `${integrations}/${id}/aliases`, {}, 200);
  const { pathname } = new URL(url);
  const answer = await readAnswer(
    await world.request(pathname, { method: "POST", body: '{"ref": "refs/heads/main"}' }),
  );
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** Runs a build from a real repository with the stand-in. */
async function runBuild(world: World) {
  await using bench = await newRunBench();
  bench.environment.variables = { CALLBOARD_STAND_IN_STATS: "1.0.0" };
  const repository = await make(world, `${webOf(world)}/repositories`, {
    name: "Bench",
    git_url: bench.repository.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const template = await make(world, `${webOf(world)}/templates`, {
    name: "Build",
    type: "build",
    start_version: "1.0.0",
    playbook: "site.yml",
    inventory_id: world.web.inventoryId,
    repository_id: repository.id,
  });
  const task = await make(world, `${webOf(world)}/tasks`, { template_id: template.id });
  const dispatcher = startDispatcher(world.deps, {
    environment: bench.environment,
    shared: false,
  });
  const isEnded = async () => {
    const { body } = await world.api("alice", "GET", `${webOf(world)}/tasks/${task.id}`);
    assert.notEqual(body.status, "error");
    return body.status === "success";
  };
  await until(isEnded);
  await dispatcher.stop(0);
}

/** Runs a preview on a runner. It waits for its confirmation. */
async function previewOnRunner(world: World) {
  await using bench = await newRunBench();
  const repository = await make(world, `${webOf(world)}/repositories`, {
    name: "Elsewhere",
    git_url: bench.repository.url,
    git_branch: "main",
    ssh_key_id: world.web.keyId,
  });
  const renewal = `${webOf(world)}/repositories/${repository.id}/requirements`;
  assert.equal((await world.api("alice", "POST", renewal)).status, 204);
  const template = await make(world, `${webOf(world)}/templates`, {
    name: "Elsewhere",
    playbook: "site.yml",
    inventory_id: world.web.inventoryId,
    repository_id: repository.id,
    runner_tag: "elsewhere",
    preview_first: true,
    approval: { needed: 2, timeout_minutes: 60 },
  });
  const task = await make(world, `${webOf(world)}/tasks`, { template_id: template.id });
  const runner = await newTestRunner(world, { labels: ["elsewhere"] });
  world.deps.remote = createRemote({ shared: false });
  const dispatcher = startDispatcher(world.deps, {
    environment: bench.environment,
    shared: false,
  });
  world.deps.wakeDispatcher = dispatcher.wake;
  const run = await runner.claim();
  const outcome = { end: "success" as const, reason: null, lines: 0, events: 0 };
  const { ended } = await runner.report(run, {
    state: {
      checkout: null,
      inventories: null,
      ansible: null,
      requirements: null,
      started: true,
      outcome,
    },
  });
  assert.ok(ended);
  const path = `${webOf(world)}/tasks/${task.id}/confirm`;
  assert.equal((await world.api("alice", "POST", path)).status, 204);
  await dispatcher.stop(0);
  world.deps.wakeDispatcher = () => {};
}

/** Leaves two events of a commit in the outbox of a receiver that does not answer. */
async function keepAudit({ deps, web }: World) {
  const { kv } = deps;
  await openOutbox(kv);
  const op = kv.atomic();
  const actor = { kind: "schedule", id: 1, projectId: web.id } as const;
  const event = {
    projectId: web.id,
    object: "key",
    id: 1,
    name: "Key",
    action: "updated",
  } as const;
  for (let n = 0; n < 2; n++) recordEvent(op, deps, actor, event);
  await op.commit();
  await closeOutbox(kv);
  await kv.set(rowKeys.auditSwitch(), true);
  await getCursor(kv, "syslog");
  await takeWorkTurn(deps, rowKeys.auditTurn("syslog"), "a server");
}

/**
 * Remembers the build's results on its hosts, and queues them again as if a server had died before.
 */
async function rememberHosts(world: World) {
  const { kv, web } = world;
  await rememberDue(world.deps);
  await setAside(world, { task: 1_000, error: new Error("as told") });
  const [task] = await listTaskRows(kv, web.id, { limit: 1 });
  const op = kv.atomic();
  queueHosts(op, world.deps, task);
  await op.commit();
}

/** Checks hosts twice, with a run between them, and leaves a check that is due. */
async function checkHosts(world: World) {
  const { kv, web, deploy, deps } = world;
  const check = async (status: "ok" | "changed") => {
    const run = await reportedTask(world, { check: true });
    await run.report(play("Web"), task("a"), result("a", "drifting", { status }));
    await run.report({ type: "end", at: 0, lost: 0, checkMode: [] });
    await run.end();
    return run.id;
  };
  await check("changed");
  await storeDueDrift(world.deps);
  const { actor } = world.people.bob;
  const scope = await openProject({ deps, actor }, web.id, "run_tasks");
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  await acceptDrift(scope, deploy.id, { hosts: ["drifting"], until, note: "Known" });
  const alice = { deps, actor: world.people.alice.actor };
  const manager = await openProject(alice, web.id, "manage_resources");
  await forgetDrift(manager, deploy.id, "drifting");
  const people = await openProject(alice, web.id, "manage_users");
  await createRole(people, { name: "Night shift", granted: ["run_tasks"] });
  await check("changed");
  await storeDueDrift(world.deps);
  await check("ok");
  const op = kv.atomic();
  queueFix(op, world, { id: 1, project_id: web.id, template_id: deploy.id });
  await op.commit();
}

/** Longer than one value of the store. */
const LONG = "long".repeat(20_000);

/** Queues a task with a long answer and a secret one. */
async function queueWithSecret(world: World) {
  const template = await make(world, `${webOf(world)}/templates`, {
    name: "Ask",
    playbook: "site.yml",
    inventory_id: world.web.inventoryId,
    repository_id: world.web.repositoryId,
    survey_vars: [
      { name: "token", title: "Token", type: "secret", required: true },
      { name: "notes", title: "Notes" },
    ],
  });
  await make(world, `${webOf(world)}/tasks`, {
    template_id: template.id,
    environment: JSON.stringify({ notes: LONG }),
    secret: JSON.stringify({ token: `hush${LONG}` }),
  });
}

/** Leaves a task that was being imported when the power failed. */
async function beginImport(world: World) {
  const { body } = await world.api("alice", "GET", `${webOf(world)}/tasks`);
  const [model] = await getTasks(world.kv, [[world.web.id, body.at(-1).id]]);
  const [id] = await nextIds(world.kv, "tasks", 1);
  const begun = Promise.withResolvers<void>();
  async function* records() {
    yield { time: null, output: "The first line" };
    begun.resolve();
    await new Promise(() => {});
  }
  const given = { inventory_id: null, git_branch: null, limit: [], tags: [], skip_tags: [] };
  const task = { ...model, id, status: "success", given } as const;
  const { actor } = world.people.alice;
  importTask(await openProject({ deps: world.deps, actor }, world.web.id, "update_project"), task, {
    records: records(),
    secrets: null,
  });
  await begun.promise;
}

/** Repeats a task on a host that failed. */
async function retryFailed(world: World) {
  const run = await reportedTask(world);
  await run.report(play("Web"), task("a"), result("a", "web", { status: "failed" }));
  await run.end("error");
  await make(world, `${webOf(world)}/tasks/${run.id}/retry`, {});
}
