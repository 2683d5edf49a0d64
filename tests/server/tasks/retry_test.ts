import assert from "node:assert/strict";
import { listHosts } from "@/lib/results/result_store.ts";
import { resultsOf } from "@/lib/compare/results.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import type { RunnerFacts } from "@/lib/runner/protocol.ts";
import { packHosts, storeHosts } from "@/lib/tasks/host_store.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { amendTask } from "@/lib/tasks/steps.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newQueue } from "@/tests/support/server/queue.ts";
import { FACTS } from "@/tests/support/world/runners.ts";
import { newTestRunner } from "@/tests/support/world/test_runner.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { previewedTask } from "@/tests/support/world/previewed_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Body = Record<string, unknown>;
type Statuses = Record<string, "ok" | "failed" | "unreachable">;

/** Creates a finished task with these hosts. */
async function endedTask(world: World, hosts: Statuses, input: Body = {}) {
  const run = await reportedTask(world, input);
  await run.report(
    play("Web"),
    task("a"),
    ...Object.keys(hosts).map((host) => result("a", host)),
    task("b"),
    ...Object.entries(hosts).map(([host, status]) => result("b", host, { status })),
  );
  await run.end("error");
  return run;
}

/** Creates a template. Returns the answer's body. */
async function newTemplate(world: World, fields: Body) {
  const path = `/api/project/${world.web.id}/templates`;
  const { status, body } = await world.api("mike", "POST", path, templateForm(world, fields));
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const retry = (world: World, id: number, body: Body = {}, person: Person = "bob") =>
  world.api(person, "POST", `/api/project/${world.web.id}/tasks/${id}/retry`, body);

async function planOf(world: World, id: number) {
  return await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, id));
}

const SOME: Statuses = { web1: "ok", web2: "failed", web3: "unreachable", web4: "failed" };

Deno.test("a retry runs on exactly the hosts that failed, in either way or in both", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  for (
    const [body, expected] of [
      [{}, ["web2", "web3", "web4"]],
      [{ hosts: "not_ok", id: 5, template_id: 99, limit: "all" }, ["web2", "web3", "web4"]],
      [{ hosts: "failed" }, ["web2", "web4"]],
      [{ hosts: "unreachable" }, ["web3"]],
    ] as const
  ) {
    const { status, body: made } = await retry(world, id, body);
    assert.equal(status, 201, JSON.stringify(made));
    assert.equal(made.retry_of, id);
    assert.deepEqual(made.retry, { hosts: expected.length, of: 4, start_at_task: null });
    const plan = await planOf(world, made.id);
    assert.deepEqual(plan.hosts, expected);
    assert.equal(plan.limit, null);
  }
});

Deno.test("a task without hosts to repeat says so with 409", async () => {
  await using world = await newWorld();
  const running = await reportedTask(world);
  const refused = async (id: number, body: Body = {}) => {
    const { status, body: answer } = await retry(world, id, body);
    return [status, answer.error];
  };
  assert.deepEqual(await refused(running.id), [
    409,
    `Task #${running.id} is still running. Wait until it has finished.`,
  ]);
  await running.end("error");
  assert.match((await refused(running.id))[1], /has no host results/);
  const good = await endedTask(world, { web1: "ok" });
  assert.deepEqual(await refused(good.id), [
    409,
    `No host of task #${good.id} failed or was unreachable.`,
  ]);
  const failed = await endedTask(world, { web1: "failed" });
  assert.deepEqual(await refused(failed.id, { hosts: "unreachable" }), [
    409,
    `No host of task #${failed.id} was unreachable.`,
  ]);
  assert.equal((await retry(world, failed.id, { hosts: "all" })).status, 400);
  assert.equal((await retry(world, 9999)).status, 404);
  assert.equal((await retry(world, failed.id, {}, "carol")).status, 403);
});

Deno.test("names that are patterns to Ansible never become a limit", async () => {
  await using world = await newWorld();
  const names = ["all", "ungrouped", "!x", "&x", "@/etc/passwd", "~.*", "web*", "web[1:9]", "a,b"];
  for (const name of [...names, "a b", "w?b", "web[0]", " x", "x\n!y", "*", "?", "[a-z]"]) {
    const { id } = await endedTask(world, { web1: "failed", [name]: "failed" });
    const { status, body } = await retry(world, id);
    assert.equal(status, 409, name);
    assert.match(body.error, /has a special meaning for Ansible/);
  }
  const { id } = await endedTask(world, {
    "2001:db8::1": "failed",
    "büro-1.example.com": "failed",
  });
  assert.equal((await retry(world, id)).status, 201);
});

Deno.test("a retry has the commit, answers, arguments and limit of its task", async () => {
  await using world = await newWorld();
  const template = await newTemplate(world, {
    allow_override_args_in_task: true,
    survey_vars: [{ name: "release", title: "Release", type: "string", required: true }],
  });
  const { id } = await endedTask(world, SOME, {
    template_id: template.id,
    environment: '{"release":"v2"}',
    arguments: '["--forks","3"]',
    limit: "web*",
    diff: true,
    message: "Try",
  });
  const commit_hash = "0123456789abcdef0123456789abcdef01234567";
  await amendTask(world.kv, { id, project_id: world.web.id }, { commit_hash });
  const { body: same } = await retry(world, id);
  const shown = (
    task: Body,
  ) => [task.commit_hash, task.environment, task.arguments, task.limit, task.diff, task.message];
  assert.deepEqual(shown(same), [
    ...[commit_hash, '{"release":"v2"}', '["--forks","3"]', "web*", true, "Try"],
  ]);
  const { body: latest } = await retry(world, id, { commit: "latest", message: "Again" });
  assert.deepEqual([latest.commit_hash, latest.message], [null, "Again"]);

  // The template asks for something else by now.
  const path = `/api/project/${world.web.id}/templates/${template.id}`;
  const { body: before } = await world.api("mike", "GET", path);
  const survey_vars = [{ name: "ring", title: "Ring", type: "int", required: true }];
  await world.api("mike", "PUT", path, { ...before, survey_vars });
  const { status, body } = await retry(world, id);
  assert.equal(status, 409);
  assert.match(body.error, /^The template no longer accepts the values of task #\d+\. ./);
});

Deno.test("a limit that only managers may set does not keep others from a retry", async () => {
  await using world = await newWorld();
  const template = await newTemplate(world, {
    task_params: { limit: ["web"], allow_override_limit: true },
  });
  const { id } = await endedTask(world, SOME, { template_id: template.id, limit: "all" });
  const path = `/api/project/${world.web.id}/templates/${template.id}`;
  const { body: before } = await world.api("mike", "GET", path);
  await world.api("mike", "PUT", path, { ...before, task_params: { limit: ["web"] } });
  assert.equal((await retry(world, id)).status, 201);
  const { status, body } = await retry(world, id, { start_at_failed: true });
  assert.deepEqual([status, Object.keys(body.fields)], [400, ["start_at_failed"]]);
  const started = await retry(world, id, { start_at_failed: true }, "mike");
  assert.equal(started.body.retry.start_at_task, "Task b");
  assert.equal((await planOf(world, started.body.id)).startAt, "Task b");
});

Deno.test("secret answers end with their task, so a retry asks for them", async () => {
  await using world = await newWorld();
  const template = await newTemplate(world, {
    survey_vars: [{ name: "token", title: "Token", type: "secret" }],
  });
  const { id } = await endedTask(world, SOME, {
    template_id: template.id,
    secret: '{"token":"s3cret"}',
  });
  const refused = await retry(world, id);
  assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, ["token"]]);
  const { status, body } = await retry(world, id, { secret: { token: "other" } });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys((await planOf(world, body.id)).secretVars), ["token"]);

  const page = await (await world.get("bob", `/project/${world.web.id}/tasks/${id}/retry`)).text();
  assert.match(page, /name="answers\.token"/);
  const form = await world.post("bob", `/project/${world.web.id}/tasks/${id}/retry`, {});
  assert.equal(form.status, 422);
  assert.match(await form.text(), /Secret answers are deleted when a task ends/);
});

Deno.test("a build keeps its version with its commit, and a deploy its build", async () => {
  await using world = await newWorld();
  const build = await newTemplate(world, { name: "Build", type: "build", start_version: "1.0" });
  const deploy = await newTemplate(world, {
    name: "Deploy",
    type: "deploy",
    build_template_id: build.id,
  });
  const built = await reportedTask(world, { template_id: build.id });
  await built.end();
  const { id } = await endedTask(world, SOME, { template_id: build.id });
  assert.equal((await retry(world, id)).body.version, "1.1");
  assert.equal((await retry(world, id, { commit: "latest" })).body.version, "1.2");
  const out = await endedTask(world, SOME, { template_id: deploy.id, build_task_id: built.id });
  await (await reportedTask(world, { template_id: build.id })).end();
  const { body } = await retry(world, out.id);
  assert.deepEqual([body.build_task_id, body.build_task.version], [built.id, "1.0"]);
});

Deno.test("a retry that ended before it reached a host can be repeated", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  const { body: first } = await retry(world, id, { hosts: "failed" });
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks/${first.id}/stop`, {});
  assert.deepEqual(await listHosts(world.kv, first.id), []);
  const { body: second } = await retry(world, first.id);
  assert.deepEqual([second.retry_of, second.retry.hosts, second.retry.of], [first.id, 2, 2]);
  assert.deepEqual((await planOf(world, second.id)).hosts, ["web2", "web4"]);
});

Deno.test("another inventory of the template has other hosts, whatever their names", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  const { body: other } = await world.api(
    "mike",
    "POST",
    `/api/project/${world.web.id}/inventory`,
    { name: "Other", type: "static", inventory: "web2\n", ssh_key_id: world.web.keyId },
  );
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body: before } = await world.api("mike", "GET", path);
  await world.api("mike", "PUT", path, { ...before, inventory_id: other.id });
  const { status, body } = await retry(world, id);
  assert.deepEqual([status, body.error], [
    409,
    `The template no longer uses the inventory of task #${id}. Start a new task instead.`,
  ]);
});

Deno.test("10,000 hosts fit into a retry, and go with it", async () => {
  await using world = await newWorld();
  const name = (n: number) =>
    `i-${(n * 2654435761 % 2 ** 32).toString(16)}${n}.eu-west-1.example.com`;
  const hosts = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [name(n), "failed"]));
  const { id } = await endedTask(world, hosts as Statuses);
  const { body } = await retry(world, id);
  assert.equal((await planOf(world, body.id)).hosts?.length, 10_000);
  const rows = () => Array.fromAsync(world.kv.list({ prefix: ["task_hosts"] }), ({ key }) => key);
  assert.ok((await rows()).length > 1);
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks/${body.id}/stop`, {});
  const deleted = await world.api(
    "erin",
    "DELETE",
    `/api/project/${world.web.id}/tasks/${body.id}`,
  );
  assert.equal(deleted.status, 204);
  assert.deepEqual(await rows(), []);
  assert.deepEqual(
    await Array.fromAsync(world.kv.list({ prefix: ["task_retries"] }), ({ key }) => key),
    [],
  );
});

Deno.test("the page of a task repeats it with one click, and both pages know each other", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  const path = `/project/${world.web.id}/tasks/${id}`;
  const text = async (path: string) =>
    (await (await world.get("bob", path)).text()).replace(/<!--.*?-->/g, "");
  const page = await text(path);
  assert.match(page, /Run again on the 3 failed or unreachable hosts/);
  assert.ok(page.includes(`<form method="post" action="${path}/retry" data-stay>`));
  const made = await world.post("bob", `${path}/retry`, {});
  assert.equal(made.status, 303);
  const next = id + 1;
  assert.match(made.headers.get("location")!, new RegExp(`t=${next}$`));
  // A page without a script follows a waiting task without an end.
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks/${next}/stop`, {});
  const retried = (await text(`/project/${world.web.id}/tasks/${next}`)).replace(/<[^>]+>/g, "");
  assert.match(retried, new RegExp(`Repeats task #${id} on 3 of 4 hosts`));
  assert.match(await text(path), new RegExp(`Repeated by .*#${next}</a>`));
  assert.doesNotMatch(await (await world.get("carol", path)).text(), /Run again/);
});

Deno.test("after a fix of the playbook, a menu repeats a task with the latest commit", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  const path = `/project/${world.web.id}/tasks/${id}`;
  const page = async () => (await world.get("bob", path)).text();
  const LATEST = /<button[^>]*name="commit"[^>]*value="latest"/;
  assert.doesNotMatch(await page(), LATEST, "a task without a commit");
  const commit_hash = "0123456789abcdef0123456789abcdef01234567";
  await amendTask(world.kv, { id, project_id: world.web.id }, { commit_hash });
  assert.match(await page(), LATEST);
  const made = async (sent: Record<string, string>) => {
    const { headers } = await world.post("bob", `${path}/retry`, sent);
    const [, retried] = /t=(\d+)$/.exec(headers.get("location")!)!;
    return (await getTaskRow(world.kv, world.web.id, Number(retried))).commit_hash;
  };
  assert.deepEqual([await made({}), await made({ commit: "latest" })], [commit_hash, null]);
});

Deno.test("comparing a retry with its task shows the repeated hosts alone", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  const { id: retryId, scope } = await endedTask(world, { web2: "ok" });
  const retried = {
    id: retryId,
    project_id: world.web.id,
    retry_of: { task_id: id, hosts: 2, of: 4 },
  };
  await amendTask(world.kv, retried, { retry_of: retried.retry_of });
  const op = world.kv.atomic();
  storeHosts(op, retried, packHosts(["web2", "web4"]));
  await op.commit();
  const [run, base] = await Promise.all(
    [retryId, id].map((id) => getTaskRow(world.kv, world.web.id, id)),
  );
  const { differences } = await resultsOf(await scope(), { run, base });
  assert.deepEqual(differences!.onlyRun.hosts, []);
  assert.deepEqual(differences!.onlyBase.hosts.map(({ name }) => name), ["web4"]);
  assert.equal(differences!.hosts, 1);
});

Deno.test("a preview that failed on hosts is repeated as a preview of these hosts", async () => {
  await using world = await newWorld();
  const { id } = await previewedTask(world, { more: [result("b", "cache", { status: "failed" })] });
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks/${id}/stop`, {});
  const { status, body } = await retry(world, id, { secret: { token: "again" } });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.status, body.preview.made, body.retry.hosts], ["waiting", null, 1]);
  assert.deepEqual((await planOf(world, body.id)).hosts, ["cache"]);
});

Deno.test("the page of a host names the task that a retry repeats", async () => {
  await using world = await newWorld();
  const { id } = await endedTask(world, SOME);
  const told = await endedTask(world, { web2: "ok" });
  const retried = { id: told.id, project_id: world.web.id };
  await amendTask(world.kv, retried, { retry_of: { task_id: id, hosts: 1, of: 4 } });
  await rememberDue(world.deps);
  const { body: runs } = await world.api(
    "carol",
    "GET",
    `/api/project/${world.web.id}/hosts/web2/runs`,
  );
  assert.deepEqual(runs.map(({ retry_of }: Body) => retry_of), [id, null]);
  const page = await (await world.get("carol", `/project/${world.web.id}/hosts/web2`)).text();
  assert.match(page.replace(/<[^>]+>/g, ""), new RegExp(`Repeats #${id}`));
});

Deno.test("a runner gets the hosts of a retry in its plan", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const template = await queue.makeTemplate({ runner_tag: "dmz" });
  const { id } = await endedTask(world, SOME, { template_id: template });
  const runner = await newTestRunner(world);
  queue.dispatch();
  const { body } = await retry(world, id);
  const facts: RunnerFacts = { ...FACTS, abilities: ["hosts"] };
  const { run } = await runner.poll({ facts, wait_ms: 20_000 });
  assert.ok(run);
  assert.equal(run.task_id, body.id);
  const { plan } = await runner.open(run);
  assert.deepEqual([plan.hosts, plan.limit], [["web2", "web3", "web4"], null]);
});
