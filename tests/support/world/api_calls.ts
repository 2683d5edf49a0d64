import assert from "node:assert/strict";
import type { Method, Operation } from "@/lib/access/operation.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { knownHostsFile } from "@/lib/execution/ssh/known_hosts.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import type { TemplateRow } from "@/lib/templates/schema.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { transact } from "@/lib/store/transact.ts";
import { runWorker } from "@/lib/workflows/runs/loop.ts";
import { PASSWORD, type Person } from "./cast.ts";
import { setAside } from "./jobs.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { seedWeb, type Web } from "./projects.ts";
import { AUTHORITY } from "@/tests/support/services/ssh_authority.ts";
import { FACTS, newRunner, PUBLIC_KEY } from "./runners.ts";
import { play, reportedTask, result, task } from "./reported_task.ts";
import type { World } from "./world.ts";
import { resultId } from "@/lib/results/rows.ts";

/** Example bodies of the document by the operation's id. */
export const EXAMPLES: Record<string, unknown> = Object.fromEntries(
  allOperations.map(({ id, body }) => [id, body?.meta()?.example])
    .filter(([, example]) => example !== undefined),
);

/** A call that works for people who may make it: values for the path, and a body. */
interface GoodCall {
  path: string;
  body?: unknown;
}

type Values = Record<string, string | number>;
type Prepared = { values?: Values; body?: unknown };
type Prepare = (world: World, person: Person | null) => Prepared | Promise<Prepared>;

/**
 * Creates the objects that a good call of the operation needs, as people with the right to do so.
 */
export async function goodCall(
  { id, path }: Operation,
  world: World,
  person: Person | null,
): Promise<GoodCall> {
  const { values, body } = await PREPARE[id]?.(world, person) ?? {};
  const all = { ...valuesOf(world.web), ...values };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    assert.ok(name in all, `${id} needs a value for ${name}`);
    return String(all[name]);
  });
  return { path: `/api${filled}`, body };
}

const valuesOf = ({ id, ...ids }: Web): Values => ({ projectId: id, ...ids });

/** Creates an object as a person with the right to do so. Returns the answer's body. */
async function make(
  world: World,
  method: Method,
  path: string,
  body?: unknown,
  person: Person = "alice",
) {
  const answer = await world.api(person, method, `/api${path}`, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a runner of the web project, or of the server if `projectId` is null. */
const ofRunner = (projectId?: null, body?: unknown): Prepare => async (world) => {
  const { id } = await newRunner(world, {}, projectId);
  return { values: { runnerId: id }, body };
};

/** Its address is private, so that a test message goes nowhere. */
const alertTarget = {
  name: "Ops",
  kind: "gotify",
  settings: { server: "http://127.0.0.1:9", token: "t" },
};
const alertRule = { name: "Failures", events: ["failed"] };

/** Creates a target of the web project, or of the server, for a call about it. */
const ofTarget = (place: "project" | "server", body?: unknown): Prepare => async (world) => {
  const at = place === "server" ? "" : `/project/${world.web.id}`;
  const { id } = await make(world, "POST", `${at}/alert_targets`, alertTarget, "erin");
  return { values: { targetId: id }, body };
};

const newRole = () => ({ name: `Role ${crypto.randomUUID()}`, granted: ["run_tasks"] });

/** Defines a role of the web project, or of the server, for a call about it. */
const ofRole = (place: "project" | "server", body?: unknown): Prepare => async (world) => {
  const path = place === "server" ? "/roles" : `/project/${world.web.id}/roles`;
  const { slug } = await make(world, "POST", path, newRole(), "erin");
  return { values: { slug }, body };
};

/** Creates a feed, whose token reads it. */
const aFeed: Prepare = async (world) => ({
  values: await make(world, "POST", `/project/${world.web.id}/alert_feed`),
});

/** Creates a target, and a rule unless the call does so. */
const ofRule =
  (place: "project" | "server", call: "create" | "update" | "other" = "other"): Prepare =>
  async (world) => {
    const at = place === "server" ? "" : `/project/${world.web.id}`;
    const target = await make(world, "POST", `${at}/alert_targets`, alertTarget, "erin");
    const body = { ...alertRule, target_id: target.id };
    if (call === "create") return { body };
    const { id } = await make(world, "POST", `${at}/alert_rules`, body, "erin");
    return { values: { ruleId: id }, ...call === "update" && { body } };
  };

const makeInWeb = (world: World, path: string, body?: unknown) =>
  make(world, "POST", `/project/${world.web.id}${path}`, body);

const unique = () => crypto.randomUUID().slice(0, 8);
const newUser = () => {
  const username = `nora-${unique()}`;
  return { name: "Nora", username, email: `${username}@example.com`, password: PASSWORD };
};
const key = { name: "Second key", type: "none" };
const hostAuthority = { hosts: "*.example.com", public_key: AUTHORITY };
const secretStorage = {
  name: "Team Vault",
  type: "vault",
  params: { url: "https://vault.example.com", auth_method: "token" },
  secret: "hvs.token",
};
/** Nothing listens at its address, so a test fails at once. */
const lonelyStorage = { ...secretStorage, params: { url: "http://127.0.0.1:9" } };
const view = { title: "Nightly" };
const environment = { name: "Second", json: "{}" };
const matcher = {
  name: "Main only",
  match_type: "body",
  body_data_type: "json",
  key: "ref",
  method: "equals",
  value: "main",
};
const extractValue = {
  name: "Branch",
  value_source: "header",
  body_data_type: "",
  key: "X-Branch",
  variable: "branch",
};
const repository = ({ web }: World) => ({
  name: "Second repository",
  git_url: "https://git.example.com/second.git",
  git_branch: "main",
  ssh_key_id: web.keyId,
});
const gitCredential = ({ web }: World) => ({
  type: "host",
  // A project has one for each place.
  host: `${crypto.randomUUID()}.example.com`,
  ssh_key_id: web.keyId,
});
const toolchain = { name: "Old Ansible", ansible_core: "2.16" };
// Nothing is built in a test of access.
const unbuildable = { ...toolchain, python: "3.99" };
const newServerToolchain = (body: object) => async (world: World) => ({
  values: { toolchainId: (await make(world, "POST", "/toolchains", body, "erin")).id },
});
const aServerToolchain = newServerToolchain(toolchain);

const inventory = ({ web }: World) => ({
  name: "Second inventory",
  type: "static",
  inventory: "localhost",
  ssh_key_id: web.keyId,
});
const template = ({ web }: World) => ({
  name: "Second template",
  playbook: "site.yml",
  inventory_id: web.inventoryId,
  repository_id: web.repositoryId,
  environment_id: web.environmentId,
});
const workflow = ({ web }: World) => ({
  name: "Release",
  steps: [
    { kind: "approval", name: "Go" },
    { kind: "template", template_id: web.templateId },
  ],
});
const schedule = ({ web }: World) => ({ template_id: web.templateId, cron_format: "0 3 * * *" });
const integration = ({ web }: World) => ({ name: "Git push", template_id: web.templateId });

const aProjectToken: Prepare = async (world) => ({
  values: { tokenId: (await makeInWeb(world, "/tokens", { name: "CI" })).id },
});

async function newUserId(world: World): Promise<number> {
  return (await make(world, "POST", "/users", newUser(), "erin")).id;
}

async function newMemberId(world: World): Promise<number> {
  const userId = await newUserId(world);
  await makeInWeb(world, "/users", { user_id: userId, role: "guest" });
  return userId;
}

async function newTaskId(world: World): Promise<number> {
  return (await makeInWeb(world, "/tasks", { template_id: world.web.templateId })).id;
}

async function endedTask(world: World): Promise<Prepared> {
  const taskId = await newTaskId(world);
  await makeInWeb(world, `/tasks/${taskId}/stop`, {});
  return { values: { taskId } };
}

/** Creates a finished task with a host that failed. */
async function failedTask(world: World): Promise<Prepared> {
  const run = await reportedTask(world);
  await run.report(play("Web"), task("a"), result("a", "web", { status: "failed" }));
  await run.end("error");
  return { values: { taskId: run.id }, body: {} };
}

const taskToConfirm = (world: World) => taskOf(world, { require_confirmation: true });

/** Creates a task of a template with changes. */
async function taskOf(world: World, change: Partial<TemplateRow>): Promise<Prepared> {
  const { kv, web } = world;
  await transact(kv, (op) =>
    templateRows.update(kv, op, web.id, web.templateId, (row) => ({
      ...row,
      ...change,
    })));
  return { values: { taskId: await newTaskId(world) } };
}

/** Creates an object of a kind and puts its id into the path. */
const aNew = (
  name: string,
  path: string,
  form: unknown | ((world: World) => unknown),
): Prepare =>
async (world) => {
  const body = typeof form === "function" ? form(world) : form;
  return { values: { [name]: (await makeInWeb(world, path, body)).id } };
};

const sends = (form: unknown | ((world: World) => unknown)): Prepare => (world) => ({
  body: typeof form === "function" ? form(world) : form,
});

const both = (first: Prepare, second: Prepare): Prepare => async (world, person) => {
  const { values, body } = await first(world, person);
  const added = await second(world, person);
  return { values: { ...values, ...added.values }, body: added.body ?? body };
};

const anIntegration = aNew("integrationId", "/integrations", integration);

/** Creates an integration and one of its parts, and puts their ids into the path. */
const anIntegrations = (name: string, path: string, form?: unknown): Prepare => async (world) => {
  const { values = {} } = await anIntegration(world, null);
  const below = `/integrations/${values.integrationId}/${path}`;
  return { values: { ...values, [name]: (await makeInWeb(world, below, form)).id } };
};

const aMatcher = anIntegrations("matcherId", "matchers", matcher);
const anExtractValue = anIntegrations("valueId", "values", extractValue);
const aSchedule = aNew("scheduleId", "/schedules", schedule);
const aStorage = aNew("storageId", "/secret_storages", secretStorage);
const aGitCredential = aNew("credentialId", "/host_configs", gitCredential);
const aView = aNew("viewId", "/views", view);

const aWorkflow = aNew("workflowId", "/workflows", workflow);

/** Creates a workflow and a run of it that waits for its approval. */
async function aWorkflowRun(world: World): Promise<Prepared> {
  const { values = {} } = await aWorkflow(world, null);
  const { id } = await makeInWeb(world, `/workflows/${values.workflowId}/run`, {});
  await doDue(world.deps, runWorker);
  return { values: { ...values, runId: id, stepId: 1 } };
}

/** The same, and someone has rejected the approval. */
async function aFailedRun(world: World): Promise<Prepared> {
  const { values = {} } = await aWorkflowRun(world);
  const path = `/workflows/${values.workflowId}/runs/${values.runId}/approvals/1`;
  await makeInWeb(world, path, { status: "rejected" });
  await doDue(world.deps, runWorker);
  return { values };
}

/** Creates an address whose call starts a task. */
async function anAddress(world: World): Promise<Prepared> {
  const { values = {} } = await aMatcher(world, null);
  const { url } = await makeInWeb(world, `/integrations/${values.integrationId}/aliases`);
  return { values: { ...values, alias: new URL(url).pathname.split("/").at(-1)! } };
}

async function aDelivery(world: World): Promise<Prepared> {
  const { values = {} } = await anAddress(world);
  const called = await world.request(`/api/integrations/${values.alias}`, { method: "POST" });
  assert.equal(called.status, 200, await called.text());
  return { values: { ...values, deliveryId: 1 } };
}

async function aProject(world: World): Promise<Prepared> {
  return { values: valuesOf(await seedWeb(world.deps, world.people)) };
}

/** Creates a new account with a session and a token. */
async function newAccess(world: World): Promise<Prepared> {
  const user = newUser();
  const { id: userId } = await make(world, "POST", "/users", user, "erin");
  const signIn = { auth: user.username, password: user.password };
  const { headers } = await world.api(null, "POST", "/api/auth/login", signIn);
  const init = { method: "POST", headers: { Cookie: headers.getSetCookie()[0].split(";")[0] } };
  const token = await (await world.request("/api/user/tokens", init)).json();
  const [session] = await make(world, "GET", `/users/${userId}/sessions`, undefined, "erin");
  return { values: { userId, session: session.id, token: token.id.slice(0, 8) } };
}

/** Creates another session of the caller, or of someone else if no one calls. */
async function anotherSession(world: World, person: Person | null): Promise<Prepared> {
  const auth = person ?? "alice";
  await world.api(null, "POST", "/api/auth/login", { auth, password: PASSWORD });
  const sessions = await make(world, "GET", "/user/sessions", undefined, auth);
  const { id } = sessions.find(({ current }: { current: boolean }) => !current);
  return { values: { session: id } };
}

/** Creates a token of the caller, or of someone else if no one calls. */
async function aToken(world: World, person: Person | null): Promise<Prepared> {
  const { id } = await make(world, "POST", "/user/tokens", {}, person ?? "alice");
  return { values: { token: id.slice(0, 8) } };
}

/** Creates an own SSH key of the caller, or of someone else if no one calls. */
async function anOwnKey(world: World, person: Person | null): Promise<Prepared> {
  const body = { name: "Laptop", generate: true };
  const { id } = await make(world, "POST", "/user/keys", body, person ?? "alice");
  return { values: { keyId: id } };
}

/** Configures a channel for alerts that has no listener. The answer reports that, too. */
function withAlerts({ deps }: World): Prepared {
  deps.config.alerts = { ...deps.config.alerts, webhookUrl: "http://127.0.0.1:1/" };
  return {};
}

/** Creates a git repository that exists. */
async function aGitRepository(world: World): Promise<Prepared> {
  const { url, commit } = await newGitRepository(`${world.folder}/${unique()}`);
  await commit({ "site.yml": "- hosts: all\n" }, "First play");
  const body = { ...repository(world), git_url: url };
  return { values: { repositoryId: (await makeInWeb(world, "/repositories", body)).id } };
}

/** Adds a host that a run has reached. */
async function aKnownHost({ deps: { config }, web }: World): Promise<Prepared> {
  const file = await knownHostsFile({ ...config, isolation: noIsolation }, web.id);
  await Deno.writeTextFile(file, "web ssh-ed25519 AAAA\n");
  return { values: { host: "web" } };
}

/** Adds a host that is remembered from a run. */
async function aRunHost(world: World): Promise<Prepared> {
  const { host } = await aRun(world);
  await rememberDue(world.deps);
  return { values: { host } };
}

/** Adds a host that differs from what a template describes. */
async function aDriftedHost(world: World): Promise<Prepared> {
  const { id: templateId } = await makeInWeb(world, "/templates", template(world));
  const run = await reportedTask(world, { template_id: templateId, check: true });
  const host = `host-${unique()}`;
  await run.report(play("Web servers"), task("a"), result("a", host, { status: "changed" }));
  await run.end();
  await storeDueDrift(world.deps);
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  return { values: { templateId, host }, body: { hosts: [host], until, note: "Known" } };
}

/** Creates the first result of a run. */
async function aTaskResult(world: World): Promise<Prepared> {
  return { values: { taskId: (await aRun(world)).id, resultId: resultId(1, 1) } };
}

/** Creates a finished run with one result. */
async function aRun(world: World): Promise<{ id: number; host: string }> {
  const { id: template_id } = await makeInWeb(world, "/templates", template(world));
  const run = await reportedTask(world, { template_id });
  const host = `host ${unique()}`;
  const full = { value: { rc: 0, stdout: "one" }, shortened: [] };
  await run.report(play("Web servers"), task("a"), result("a", host, { full }));
  await run.end();
  return { id: run.id, host };
}

const inviteOf = (email: string) => ({ email, role: "guest" });

/** Invites someone to the web project. */
const anInvite = async (world: World) => {
  const { id } = await makeInWeb(world, "/invites", inviteOf(`nora-${unique()}@example.com`));
  return { values: { inviteId: id } };
};

/** Prepares what the good call of an operation needs beyond the rows of every project. */
const PREPARE: Record<string, Prepare | undefined> = {
  signIn: sends({ auth: "alice", password: PASSWORD }),
  startProviderSignIn: () => ({ values: { provider: "main" } }),
  finishProviderSignIn: () => ({ values: { provider: "main" } }),
  endSessionsByProvider: () => ({ values: { provider: "main" } }),
  createUser: () => ({ body: newUser() }),
  getUser: async (world) => ({ values: { userId: await newUserId(world) } }),
  updateUser: async (world) => ({
    values: { userId: await newUserId(world) },
    body: { ...newUser(), current_password: PASSWORD },
  }),
  deleteUser: async (world) => ({ values: { userId: await newUserId(world) } }),
  listSignInLinks: async (world) => ({ values: { userId: await newUserId(world) } }),
  createSignInLink: async (world) => {
    const user = await make(world, "POST", "/users", { ...newUser(), password: "" }, "erin");
    return { values: { userId: user.id } };
  },
  withdrawSignInLinks: async (world) => ({ values: { userId: await newUserId(world) } }),
  createInvite: () => ({ body: inviteOf(`nora-${unique()}@example.com`) }),
  getInvite: anInvite,
  updateInvite: async (world) => ({ ...await anInvite(world), body: { status: "expired" } }),
  deleteInvite: anInvite,
  acceptInvite: async (world, person) => {
    const email = `${person ?? "nobody"}@example.com`;
    const path = `/project/${person === "dave" ? world.web.id : world.lab.id}/invites`;
    for (const { id, status } of await make(world, "GET", path, undefined, "erin")) {
      if (status === "accepted") continue;
      await make(world, "DELETE", `${path}/${id}`, undefined, "erin");
    }
    const { token } = await make(world, "POST", path, inviteOf(email), "erin");
    return { body: { token } };
  },
  changePassword: async (world) => ({
    values: { userId: await newUserId(world) },
    body: { password: "another password", current_password: PASSWORD },
  }),
  deleteAlertFeed: aFeed,
  readAlertFeed: aFeed,
  createProjectAlertTarget: sends(alertTarget),
  getProjectAlertTarget: ofTarget("project"),
  updateProjectAlertTarget: ofTarget("project", alertTarget),
  deleteProjectAlertTarget: ofTarget("project"),
  testProjectAlertTarget: ofTarget("project"),
  resumeProjectAlertTarget: ofTarget("project"),
  listProjectAlertDeliveries: ofTarget("project"),
  createProjectAlertRule: ofRule("project", "create"),
  getProjectAlertRule: ofRule("project"),
  updateProjectAlertRule: ofRule("project", "update"),
  deleteProjectAlertRule: ofRule("project"),
  createServerAlertTarget: sends(alertTarget),
  getServerAlertTarget: ofTarget("server"),
  updateServerAlertTarget: ofTarget("server", alertTarget),
  deleteServerAlertTarget: ofTarget("server"),
  testServerAlertTarget: ofTarget("server"),
  resumeServerAlertTarget: ofTarget("server"),
  listServerAlertDeliveries: ofTarget("server"),
  createServerAlertRule: ofRule("server", "create"),
  getServerAlertRule: ofRule("server"),
  updateServerAlertRule: ofRule("server", "update"),
  deleteServerAlertRule: ofRule("server"),
  getRunner: ofRunner(null),
  updateRunner: ofRunner(null, { name: "dmz-2" }),
  deleteRunner: ofRunner(null),
  setRunnerActive: ofRunner(null, { active: false }),
  setRunnerState: ofRunner(null, { state: "draining" }),
  createRunnerRegistrationToken: ofRunner(null),
  revokeRunner: ofRunner(null),
  clearRunnerCache: ofRunner(null),
  createRunner: sends({ name: "dmz-1" }),
  createRunnerToken: sends({ name: "Image" }),
  deleteRunnerToken: async (world) => {
    const { id } = await make(world, "POST", "/runner_tokens", { name: "Image" }, "erin");
    return { values: { tokenId: id } };
  },
  getProjectRunner: ofRunner(),
  updateProjectRunner: ofRunner(undefined, { name: "dmz-2" }),
  deleteProjectRunner: ofRunner(),
  setProjectRunnerActive: ofRunner(undefined, { active: false }),
  setProjectRunnerState: ofRunner(undefined, { state: "draining" }),
  createProjectRunnerRegistrationToken: ofRunner(),
  revokeProjectRunner: ofRunner(),
  clearProjectRunnerCache: ofRunner(),
  createProjectRunner: sends({ name: "dmz-1" }),
  createProjectRunnerToken: sends({ name: "Image" }),
  deleteProjectRunnerToken: async (world) => {
    const { id } = await makeInWeb(world, "/runner_tokens", { name: "Image" });
    return { values: { tokenId: id } };
  },
  pollForRuns: sends(EXAMPLES.pollForRuns),
  registerRunner: sends({ token: "x", public_key: PUBLIC_KEY, name: "dmz-1", facts: FACTS }),
  setUserOption: sends({ key: "nav.unpinnedItems", value: "[]" }),
  createToken: sends({ name: "Script" }),
  createProjectToken: sends({ name: "CI", scopes: ["read", "run"] }),
  keepProjectToken: aProjectToken,
  deleteProjectToken: aProjectToken,
  updateToken: async (world, person) => ({
    ...await aToken(world, person),
    body: { name: "Nightly script" },
  }),
  deleteToken: aToken,
  createOwnKey: sends({ name: "Laptop", generate: true }),
  getOwnKey: anOwnKey,
  updateOwnKey: async (world, person) => ({
    ...await anOwnKey(world, person),
    body: { name: "Desktop" },
  }),
  deleteOwnKey: anOwnKey,
  endOwnSession: anotherSession,
  listSessions: newAccess,
  endSessions: newAccess,
  endSession: newAccess,
  listUserTokens: newAccess,
  deleteUserTokens: newAccess,
  deleteUserToken: newAccess,
  createProject: sends({ name: "Second shop" }),
  updateProject: sends({ name: "Web shop" }),
  deleteProject: aProject,
  testAlerts: withAlerts,
  testNotifications: withAlerts,
  getApp: () => ({ values: { app: "ansible" } }),
  reportRun: async (world) => ({ values: { taskId: await newTaskId(world) } }),
  answerCheck: () => ({ values: { check: crypto.randomUUID() }, body: EXAMPLES.answerCheck }),
  retryJob: async (world) => ({ values: { id: await setAside(world) } }),
  discardJob: async (world) => ({ values: { id: await setAside(world) } }),
  stopQueuedTask: async (world) => ({ values: { taskId: await newTaskId(world) } }),
  addMember: async (world) => ({ body: { user_id: await newUserId(world), role: "guest" } }),
  getServerRole: ofRole("server"),
  updateServerRole: ofRole("server", { name: "Renamed" }),
  deleteServerRole: ofRole("server"),
  createServerRole: () => ({ body: newRole() }),
  createRole: () => ({ body: newRole() }),
  getRole: ofRole("project"),
  updateRole: ofRole("project", { name: "Renamed" }),
  deleteRole: ofRole("project"),
  addMemberById: async (world) => ({
    values: { userId: await newUserId(world) },
    body: { role: "guest" },
  }),
  getMember: async (world) => ({ values: { userId: await newMemberId(world) } }),
  changeMemberRole: async (world) => ({
    values: { userId: await newMemberId(world) },
    body: { role: "manager" },
  }),
  deleteMember: async (world) => ({ values: { userId: await newMemberId(world) } }),
  createTemplate: sends(template),
  updateTemplate: sends(template),
  setTemplateDescription: sends({ description: "Restarts the shop" }),
  deleteTemplate: aNew("templateId", "/templates", template),
  startTask: sends(({ web }: World) => ({ template_id: web.templateId })),
  getTask: endedTask,
  deleteTask: endedTask,
  listTaskStages: endedTask,
  getTaskWait: endedTask,
  getTaskOutput: endedTask,
  getTaskRawOutput: endedTask,
  listTaskOutputs: endedTask,
  searchTaskOutput: endedTask,
  listTaskHosts: endedTask,
  listTaskPlays: endedTask,
  listTaskResults: endedTask,
  getTaskResult: aTaskResult,
  getTaskResultsSummary: aTaskResult,
  listTaskAnsibleHosts: endedTask,
  listTaskAnsibleErrors: endedTask,
  getTaskSections: endedTask,
  listHostRuns: aRunHost,
  forgetHost: aRunHost,
  getHostFacts: aRunHost,
  checkTemplate: aNew("templateId", "/templates", template),
  fixDrift: async (world) => {
    const { values, body } = await aDriftedHost(world);
    return { values, body: { hosts: (body as { hosts: string[] }).hosts } };
  },
  acceptDrift: aDriftedHost,
  unacceptDrift: aDriftedHost,
  forgetDrift: aDriftedHost,
  streamTask: endedTask,
  getTaskPreview: (world) => taskOf(world, { preview_first: true }),
  retryTask: failedTask,
  listTaskApprovals: taskToConfirm,
  confirmTask: taskToConfirm,
  rejectTask: taskToConfirm,
  stopTask: async (world) => ({ values: { taskId: await newTaskId(world) } }),
  createWorkflow: sends(workflow),
  getWorkflow: aWorkflow,
  updateWorkflow: both(aWorkflow, sends(workflow)),
  deleteWorkflow: aWorkflow,
  getWorkflowReferences: aWorkflow,
  startWorkflow: aWorkflow,
  listWorkflowRuns: aWorkflowRun,
  getWorkflowStats: aWorkflow,
  getWorkflowRunComparison: aWorkflowRun,
  listProjectWorkflowRuns: aWorkflowRun,
  getWorkflowRun: aWorkflowRun,
  stopWorkflowRun: aWorkflowRun,
  repeatWorkflowRun: aFailedRun,
  getWorkflowRunArtifacts: aWorkflowRun,
  listWorkflowRunApprovals: aWorkflowRun,
  voteOnWorkflowRun: both(aWorkflowRun, sends({ status: "approved" })),
  createSchedule: sends(schedule),
  validateCron: sends({ cron_format: "0 3 * * *" }),
  getSchedule: aSchedule,
  updateSchedule: both(aSchedule, sends(schedule)),
  setScheduleActive: both(aSchedule, sends({ active: false })),
  deleteSchedule: aSchedule,
  createView: sends(view),
  getView: aView,
  updateView: both(aView, sends(view)),
  deleteView: aView,
  moveViews: async (world) => {
    const { id } = await makeInWeb(world, "/views", view);
    return { body: { [id]: 1 } };
  },
  listViewTemplates: aView,
  createInventory: sends(inventory),
  updateInventory: sends(inventory),
  deleteInventory: aNew("inventoryId", "/inventory", inventory),
  createServerToolchain: sends(toolchain),
  getServerToolchain: aServerToolchain,
  updateServerToolchain: both(aServerToolchain, sends(toolchain)),
  deleteServerToolchain: aServerToolchain,
  getServerToolchainBuild: aServerToolchain,
  buildServerToolchain: newServerToolchain(unbuildable),
  getToolchainBuild: aNew("toolchainId", "/toolchains", toolchain),
  buildToolchain: aNew("toolchainId", "/toolchains", unbuildable),
  createToolchain: sends(toolchain),
  getToolchain: aNew("toolchainId", "/toolchains", toolchain),
  getToolchainReferences: aNew("toolchainId", "/toolchains", toolchain),
  updateToolchain: both(aNew("toolchainId", "/toolchains", toolchain), sends(toolchain)),
  deleteToolchain: aNew("toolchainId", "/toolchains", toolchain),
  createEnvironment: sends(environment),
  updateEnvironment: sends(environment),
  deleteEnvironment: aNew("environmentId", "/environment", environment),
  createKey: sends(key),
  updateKey: sends(key),
  deleteKey: aNew("keyId", "/keys", key),
  createHostAuthority: sends(hostAuthority),
  deleteHostAuthority: aNew("hostAuthorityId", "/host_authorities", hostAuthority),
  createSecretStorage: sends(secretStorage),
  getSecretStorage: aStorage,
  updateSecretStorage: both(aStorage, sends(secretStorage)),
  deleteSecretStorage: aStorage,
  getSecretStorageReferences: aStorage,
  testSecretStorage: both(
    aNew("storageId", "/secret_storages", lonelyStorage),
    sends({ path: "team/web" }),
  ),
  forgetKnownHost: aKnownHost,
  createGitCredential: sends(gitCredential),
  getGitCredential: aGitCredential,
  updateGitCredential: both(aGitCredential, sends(gitCredential)),
  deleteGitCredential: aGitCredential,
  createRepository: sends(repository),
  updateRepository: sends(repository),
  deleteRepository: aNew("repositoryId", "/repositories", repository),
  renewRequirements: aNew("repositoryId", "/repositories", repository),
  listBranches: aGitRepository,
  listPlaybooks: aGitRepository,
  createIntegration: sends(integration),
  getIntegration: anIntegration,
  updateIntegration: both(anIntegration, sends(integration)),
  deleteIntegration: anIntegration,
  getIntegrationReferences: anIntegration,
  listExtractValues: anIntegration,
  createExtractValue: both(anIntegration, sends(extractValue)),
  getExtractValue: anExtractValue,
  updateExtractValue: both(anExtractValue, sends(extractValue)),
  deleteExtractValue: anExtractValue,
  getExtractValueReferences: anExtractValue,
  listMatchers: anIntegration,
  createMatcher: both(anIntegration, sends(matcher)),
  getMatcher: aMatcher,
  updateMatcher: both(aMatcher, sends(matcher)),
  deleteMatcher: aMatcher,
  getMatcherReferences: aMatcher,
  listIntegrationAliases: anIntegration,
  createIntegrationAlias: anIntegration,
  deleteIntegrationAlias: anIntegrations("aliasId", "aliases"),
  deleteProjectAlias: aNew("aliasId", "/integrations/aliases", undefined),
  callWebhook: both(anAddress, sends({ ref: "main" })),
  callWebhookByGet: anAddress,
  listDeliveries: anIntegration,
  getDelivery: aDelivery,
  restoreProject: async (world) => ({
    body: await make(world, "GET", `/project/${world.web.id}/backup`),
  }),
};
