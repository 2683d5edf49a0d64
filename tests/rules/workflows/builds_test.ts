import assert from "node:assert/strict";
import type { Deps } from "@/lib/access/deps.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { buildWorkflowJobs, buildWorkflowWorker } from "@/lib/workflows/runs/after_build.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

/** Creates a build template, and a workflow that follows it with a deploy after an approval. */
async function makeChain(stage: WorkflowStage, steps: unknown[] = []) {
  const build = await stage.template({ name: "Build", type: "build", start_version: "1" });
  const deploy = await stage.template({ name: "Deploy", type: "deploy", build_template_id: build });
  const workflowId = await stage.workflow(
    [{ kind: "approval", name: "Ask" }, { kind: "template", template_id: deploy }, ...steps],
    { build_template_id: build },
  );
  return { build, deploy, workflowId };
}

/** Runs a task of a template. Returns its id. */
async function runTask(stage: WorkflowStage, template_id: number, how: "success" | "error") {
  const task = await stage.call("POST", "/tasks", { template_id });
  await stage.end(task, how);
  return task.id as number;
}

const startDue = (deps: Deps, shared = false) => doDue(deps, buildWorkflowWorker, { shared });

const runsOf = (stage: WorkflowStage, workflowId: number) =>
  stage.call("GET", `/workflows/${workflowId}/runs`);

/** Returns the builds of the runs, the oldest first. */
const buildsOf = async (stage: WorkflowStage, workflowId: number): Promise<number[]> =>
  (await runsOf(stage, workflowId))
    .map(({ build }: { build: { task_id: number } }) => build.task_id).reverse();

const outbox = ({ world }: WorkflowStage) =>
  Array.fromAsync(
    world.kv.list({ prefix: rowKeys.jobsOfKind(buildWorkflowJobs.name) }),
    ({ value }) => value,
  );

Deno.test("a successful build starts the workflow, whose steps deploy that very build", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { build, workflowId } = await makeChain(stage);
  assert.equal((await stage.call("GET", `/workflows/${workflowId}`)).build_template_id, build);
  const id = await runTask(stage, build, "success");
  await startDue(world.deps);
  await stage.goOn();
  const [run, ...more] = await runsOf(stage, workflowId);
  assert.equal(more.length, 0);
  assert.deepEqual(run.build, { task_id: id, template_id: build, version: "1" });
  assert.deepEqual(run.initiator, { kind: "autorun", id, name: "Build" });
  const later = await runTask(stage, build, "success");
  await stage.call("POST", `/workflows/${workflowId}/runs/${run.id}/approvals/1`, {
    status: "approved",
  });
  await stage.goOn();
  const [task] = await stage.openTasks();
  assert.deepEqual([task.build_task_id, task.incoming_version], [id, "1"]);
  assert.ok(later > id);
  const page = await world.get("carol", `/project/${world.web.id}/workflows/${workflowId}/runs/1`);
  assert.match(
    await page.text(),
    new RegExp(`Build task.*templates/${build}[^"]*=${id}"[^>]*>#${id} 1</a>`),
  );
});

Deno.test("a build that fails starts no workflow, nor does a task of another template", async () => {
  await using stage = await newWorkflowStage();
  const { build, workflowId } = await makeChain(stage);
  await runTask(stage, build, "error");
  await runTask(stage, await stage.template(), "success");
  assert.deepEqual(await outbox(stage), []);
  await startDue(stage.world.deps);
  assert.deepEqual(await runsOf(stage, workflowId), []);
});

Deno.test("a server that dies at any commit loses no workflow, and starts none twice", async () => {
  await using stage = await newWorkflowStage();
  const { deps, clock } = stage.world;
  const { build, workflowId } = await makeChain(stage);
  const second = await stage.workflow([{ kind: "wait", minutes: 1 }], {
    name: "Second",
    build_template_id: build,
  });
  const builds: number[] = [];
  let isOver = false;
  for (let nth = 1; !isOver; nth++) {
    for (const when of ["before", "after"] as const) {
      builds.push(await runTask(stage, build, "success"));
      const dying = dieAt(deps, nth, when);
      await startDue(dying.deps).catch(() => {});
      isOver = !dying.died();
      clock.advance(5_000);
      await startDue(deps);
      for (const id of [workflowId, second]) {
        assert.deepEqual(await buildsOf(stage, id), builds, `commit ${nth}, ${when}`);
      }
      assert.deepEqual(await outbox(stage), []);
    }
    assert.ok(nth < 20);
  }
  assert.ok(builds.length >= 6, "the servers died too early");
});

Deno.test("one of three servers that share the store starts the workflow of a build", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".kv" });
  try {
    await using stage = await newWorkflowStage({ kvPath });
    const { deps, clock } = stage.world;
    const { build, workflowId } = await makeChain(stage);
    const stores = await Promise.all([1, 2].map(() => openStore(kvPath)));
    const servers = [deps, ...stores.map((kv) => ({ ...deps, kv }))];
    const builds: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      builds.push(await runTask(stage, build, "success"));
      await Promise.all(servers.map((deps) => startDue(deps, true)));
      clock.advance(120_000);
      await Promise.all(servers.map((deps) => startDue(deps, true)));
    }
    assert.deepEqual(await buildsOf(stage, workflowId), builds);
    for (const kv of stores) kv.close();
  } finally {
    await Deno.remove(kvPath);
  }
});

Deno.test("a workflow that led to a build is not started by it, which is an event", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const build = await stage.template({ name: "Build", type: "build", start_version: "1" });
  const steps = [{ kind: "template", template_id: build }];
  const first = await stage.workflow(steps, { name: "First", build_template_id: build });
  const inner = await stage.workflow(steps, { name: "Inner" });
  const outer = await stage.workflow([{ kind: "workflow", workflow_id: inner }], {
    name: "Outer",
    build_template_id: build,
  });
  await runTask(stage, build, "success");
  for (let turn = 0; turn < 5; turn++) {
    await startDue(world.deps);
    await stage.goOn();
    for (const task of await stage.openTasks()) await stage.end(task, "success");
  }
  await stage.goOn();
  // Each follows the first build, and once the build of the other.
  assert.equal((await runsOf(stage, first)).length, 2);
  assert.equal((await runsOf(stage, outer)).length, 2);
  const texts = (await call("GET", "/events")).map((event: { description: string }) =>
    event.description
  );
  const refused = texts.filter((text: string) => /could not be started after a build/.test(text));
  assert.equal(refused.length, 6);
});

Deno.test("only a build template of the project starts a workflow, and is not deleted", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { web } = world;
  const { build, workflowId } = await makeChain(stage);
  const post = (build_template_id: number) =>
    world.api("alice", "POST", `/api/project/${web.id}/workflows`, {
      ...{ name: "Other", steps: [], build_template_id },
    });
  const wrong = await post(web.templateId);
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body.fields.build_template_id, "Choose a build template.");
  assert.equal((await post(9_999)).status, 404);
  const path = `/api/project/${web.id}/templates/${build}`;
  const refused = await world.api("alice", "DELETE", path);
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.workflows, [{ id: workflowId, name: "Release" }]);
  const before = await stage.call("GET", `/workflows/${workflowId}`);
  const put = { name: "Release", steps: before.steps };
  await stage.call("PUT", `/workflows/${workflowId}`, put);
  assert.equal((await stage.call("GET", `/workflows/${workflowId}`)).build_template_id, build);
  await stage.call("PUT", `/workflows/${workflowId}`, { ...put, build_template_id: null });
  assert.equal((await stage.call("GET", `/workflows/${workflowId}`)).build_template_id, null);
});

Deno.test("the form of a workflow offers build templates, and its page shows the chosen one", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { build, workflowId } = await makeChain(stage);
  const page = `/project/${world.web.id}/workflows/${workflowId}`;
  const form = await (await world.get("mike", `${page}/edit`)).text();
  assert.match(form, new RegExp(`<option value="${build}" selected[^>]*>Build<`));
  assert.match(await (await world.get("carol", page)).text(), new RegExp(`${build}"[^>]*>Build<`));
  const saved = await world.post("mike", `${page}/edit`, {
    name: "Release",
    build_template_id: "",
  });
  assert.equal(saved.status, 303, await saved.text());
  const { build_template_id, steps } = await stage.call("GET", `/workflows/${workflowId}`);
  assert.deepEqual([build_template_id, steps.length], [null, 2]);
});
