import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { deleteRunsOf } from "@/lib/workflows/runs/stored_runs.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

const step = (template_id: number, name: string, fields = {}) => ({
  kind: "template",
  template_id,
  name,
  ...fields,
});

/** Starts a workflow, ends its open tasks one after the other, and returns the id of the run. */
async function runThrough(stage: WorkflowStage, id: number, how: "success" | "error" = "success") {
  const run = await stage.start(id);
  for (let [task] = await stage.openTasks(); task; [task] = await stage.openTasks()) {
    await stage.end(task, how);
    await stage.goOn();
  }
  return run;
}

Deno.test("the history of tasks is filtered by their workflow, and names run and step", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const template = await stage.template();
  const release = await stage.workflow([step(template, "Build"), step(template, "Deploy")]);
  const other = await stage.workflow([step(template, "Check")], { name: "Nightly" });
  const run = await runThrough(stage, release);
  await runThrough(stage, other, "error");
  await call("POST", "/tasks", { template_id: template });

  const tasks = await call("GET", `/tasks?workflow_id=${release}`);
  assert.deepEqual(
    tasks.map((task: Record<string, number>) => [
      task.workflow_id,
      task.workflow_run_id,
      task.workflow_step_id,
    ]),
    [[release, run, 2], [release, run, 1]],
  );
  const failed = await call("GET", `/tasks?workflow_id=${release}&status=error`);
  assert.deepEqual(failed, []);
  const person = await call("GET", `/tasks?workflow_id=${release}&trigger=manual`);
  assert.deepEqual(person, []);
  const ofTemplate = await call("GET", `/templates/${template}/tasks?workflow_id=${other}`);
  assert.equal(ofTemplate.length, 1);
  const all = await call("GET", "/tasks");
  assert.equal(all.length, 4);

  const page = await world.get("bob", `/project/${world.web.id}/history?workflow=${release}`);
  const html = await page.text();
  assert.ok(html.includes(`Release · run ${run}, step 2`) && !html.includes("Nightly · run"));
  assert.ok(html.includes("1–2 of 2"));
});

Deno.test("the runs of all workflows are found by workflow, person, status and time", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const { clock, people } = world;
  const template = await stage.template();
  const release = await stage.workflow([step(template, "Build")]);
  const nightly = await stage.workflow([step(template, "Check")], { name: "Nightly" });
  const first = await runThrough(stage, release);
  clock.advance(5 * 86_400_000);
  const later = clock.now().toISOString();
  clock.advance(1_000);
  const second = await runThrough(stage, release, "error");
  const third = await runThrough(stage, nightly);
  const open = await stage.start(nightly, {}, "bob");

  const found = async (query: string) =>
    (await call("GET", `/workflow_runs?${query}`)).map(({ id }: { id: number }) => id);
  assert.deepEqual(await found(""), [open, third, second, first]);
  assert.deepEqual(await found("limit=2"), [open, third]);
  assert.deepEqual(await found(`before=${third}`), [second, first]);
  assert.deepEqual(await found(`workflow_id=${release}`), [second, first]);
  assert.deepEqual(await found("status=failed"), [second]);
  assert.deepEqual(await found("status=failed,running"), [open, second]);
  assert.deepEqual(await found(`status=success&workflow_id=${release}`), [first]);
  assert.deepEqual(await found(`user_id=${people.bob.id}`), [open]);
  assert.deepEqual(await found(`user_id=${people.alice.id}&status=success`), [third, first]);
  assert.deepEqual(await found(`from=${later}`), [open, third, second]);
  assert.deepEqual(await found(`to=${later}&status=success`), [first]);

  const path = `/project/${world.web.id}/runs`;
  const html = await (await world.get("carol", path)).text();
  assert.ok(html.includes("1–4 of 4") && html.includes("Nightly"));
  const filtered = await (await world.get("carol", `${path}?status=failed`)).text();
  assert.ok(filtered.includes("1–1 of 1") && filtered.includes(`/runs/${second}"`));
  const none = await (await world.get("carol", `${path}?status=stopped`)).text();
  assert.ok(none.includes("No run matches the filter"));
});

Deno.test("a page of runs reads as much after 60 runs as after six", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const id = await stage.workflow([{ kind: "wait", minutes: 1, name: "Wait" }]);
  const runMany = async (count: number) => {
    for (let n = 0; n < count; n++) await stage.start(id);
    world.clock.advance(61_000);
    await stage.goOn();
  };
  const { kv } = world;
  const countRows = async (query: string) => {
    let rows = 0;
    const { list, getMany } = kv;
    kv.list = ((...args: Parameters<typeof list>) => {
      const found = list.apply(kv, args);
      const next = found.next.bind(found);
      found.next = async () => {
        const result = await next();
        if (!result.done) rows++;
        return result;
      };
      return found;
    }) as typeof list;
    kv.getMany = ((keys: Deno.KvKey[], ...rest: []) => {
      rows += keys.length;
      return getMany.call(kv, keys, ...rest);
    }) as typeof getMany;
    try {
      const answer = await world.api(
        "bob",
        "GET",
        `/api/project/${world.web.id}/workflow_runs?limit=3&${query}`,
      );
      assert.equal(answer.body.length, 3);
    } finally {
      Object.assign(kv, { list, getMany });
    }
    return rows;
  };
  await runMany(6);
  const queries = ["", "status=success", `workflow_id=${id}`, `user_id=${world.people.alice.id}`];
  const before: number[] = [];
  for (const query of queries) before.push(await countRows(query));
  await runMany(54);
  for (const [n, query] of queries.entries()) {
    const rows = await countRows(query);
    assert.ok(rows <= before[n] + 2, `${query}: ${rows} rows instead of ${before[n]}`);
  }
});

Deno.test("no row of a run stays once its workflow is deleted", async () => {
  await using stage = await newWorkflowStage();
  const { kv, web } = stage.world;
  const template = await stage.template();
  const id = await stage.workflow([step(template, "Build")]);
  await runThrough(stage, id);
  await runThrough(stage, id, "error");
  await deleteRunsOf(kv, web.id, id);
  for (
    const prefix of [
      rowKeys.workflowRuns(web.id),
      rowKeys.workflowRunsOf(web.id),
      ["workflow_run_history", web.id],
      rowKeys.askingWorkflowRuns(web.id),
    ]
  ) {
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix }), ({ key }) => key), []);
  }
  const counts = kv.list<Deno.KvU64>({ prefix: ["row_counts", web.id, "workflow_runs"] });
  for await (const { value } of counts) assert.equal(value.value, 0n);
});

Deno.test("lists show the status that the page of a run shows", async () => {
  await using stage = await newWorkflowStage();
  const { call } = stage;
  const template = await stage.template({ require_confirmation: true });
  const inner = await stage.workflow([step(template, "Deploy")], { name: "Inner" });
  const id = await stage.workflow([{ kind: "workflow", workflow_id: inner, name: "Nested" }]);
  const run = await stage.start(id);
  await stage.goOn();
  const [listed] = await call("GET", `/workflows/${id}/runs`);
  const all = await call("GET", "/workflow_runs?status=approval");
  const { last_run } = await call("GET", `/workflows/${id}`);
  assert.deepEqual(
    [(await stage.run(id, run)).status, listed.status, last_run.status, all.length],
    ["approval", "approval", "approval", 2],
  );
});

Deno.test("a run follows an earlier version that is asked for, or none that is unknown", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const id = await stage.workflow([{ kind: "wait", minutes: 1, name: "Short" }]);
  await stage.start(id);
  const steps = [{ kind: "wait", minutes: 9, name: "Long" }];
  const path = `/api/project/${world.web.id}/workflows/${id}`;
  await world.api("alice", "PUT", path, { name: "Release", steps });
  const latest = await call("POST", `/workflows/${id}/run`, {});
  const first = await call("POST", `/workflows/${id}/run`, { version: 1 });
  assert.deepEqual([latest.version, first.version], [2, 1]);
  assert.deepEqual((await stage.run(id, first.id)).steps.map(({ name }) => name), ["Short"]);
  // Other clients send a text, which is not the number of a definition, or 0 for none.
  for (const version of ["1.2.3", "1", "", 0, null]) {
    const run = await call("POST", `/workflows/${id}/run`, { version });
    assert.equal(run.version, 2, JSON.stringify(version));
  }
  for (const version of [3, -1, 1.5, [1]]) {
    const { status, body } = await world.api("alice", "POST", `${path}/run`, { version });
    assert.equal(status, 400);
    assert.ok(body.fields.version, JSON.stringify(body));
  }
});

Deno.test("the API refuses more approvals than people are named, and NUL in a note", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const approval = { user_ids: [world.people.carol.id], needed: 5 };
  const steps = [{ kind: "approval", name: "Go", approval }];
  const path = `/api/project/${world.web.id}/workflows`;
  const refused = await world.api("alice", "POST", path, { name: "Release", steps });
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body.fields), ["steps.0.approval.needed"]);
  const id = await stage.workflow([{ kind: "approval", name: "Go" }]);
  const run = await stage.start(id);
  const vote = { status: "approved", note: "a\0b" };
  const voted = await world.api("bob", "POST", `${path}/${id}/runs/${run}/approvals/1`, vote);
  assert.equal(voted.status, 400);
  assert.deepEqual(Object.keys(voted.body.fields), ["note"]);
});

Deno.test("the overview has the approvals that wait for the reader, open runs and failed ones", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template();
  const approval = { roles: ["owner", "manager"], needed: 2 };
  const id = await stage.workflow([
    step(template, "Build"),
    { kind: "approval", name: "Go live?", approval },
  ]);
  const history = async (person: "alice" | "bob" | "mike") =>
    await (await world.get(person, `/project/${world.web.id}/history`)).text();
  const failed = await runThrough(stage, id, "error");
  const run = await stage.start(id);
  const before = await history("mike");
  assert.ok(before.includes("1 workflow running") && !before.includes("waiting for you"));
  assert.ok(before.includes("0 of 2 steps"));
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();

  const asked = await history("mike");
  assert.ok(asked.includes("1 waiting for you") && asked.includes("Approval: Go live?"));
  assert.ok(asked.includes(`/workflows/${id}/runs/${run}#decision-2`));
  assert.ok(asked.includes(`id="failed-run-${failed}"`) && asked.includes("Build failed"));
  assert.equal(asked.match(/id="failed-\d+"/), null, "its task is part of the failed run");
  assert.ok(!(await history("bob")).includes("waiting for you"));
  const path = `/workflows/${id}/runs/${run}/approvals/2`;
  await stage.call("POST", path, { status: "approved" }, "mike");
  assert.ok(!(await history("mike")).includes("waiting for you"));
  assert.ok((await history("alice")).includes("1 of 2 approvals"));
  await stage.call("POST", path, { status: "approved" }, "alice");
  await stage.goOn();
  assert.ok(!(await history("alice")).includes("workflow running"));
});

Deno.test("pages show the numbers of steps that a message can name", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template();
  const id = await stage.workflow([
    { kind: "wait", minutes: 1, name: "Wait" },
    step(template, "Build"),
    { kind: "approval", name: "Go" },
  ]);
  const run = await stage.start(id);
  const path = `/project/${world.web.id}/workflows/${id}`;
  for (const page of [path, `${path}/runs/${run}`]) {
    const html = await (await world.get("mike", page)).text();
    assert.match(html, /<th scope="col"[^>]*>#<\/th>/);
    assert.match(html, /id="step-2"[^>]*><td[^>]*data-label="#"[^>]*>(<[^>]*>)?2</);
  }
  const form = await (await world.get("mike", `${path}/steps/3`)).text();
  assert.ok(form.includes("${3.version}. Steps: 2: Build."));
  assert.ok(form.includes(">Who can approve</h2>"));
});
