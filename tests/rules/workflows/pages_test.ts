import assert from "node:assert/strict";
import { sentForm } from "@/tests/support/basics/html.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";

type Stage = Awaited<ReturnType<typeof newWorkflowStage>>;
type Who = Parameters<Stage["world"]["get"]>[0];

/** The pages of workflows in a stage's project, as people without scripts use them. */
function pagesOf({ world }: Stage) {
  const list = `/project/${world.web.id}/workflows`;
  return {
    list,
    async read(path: string, person: Who = "mike") {
      const answer = await world.get(person, path);
      assert.equal(answer.status, 200, path);
      return await answer.text();
    },
    /** Posts a form that is saved. Returns the path of the page that follows. */
    async save(path: string, form: Record<string, string | string[]>, person: Who = "mike") {
      const answer = await world.post(person, path, form);
      assert.equal(answer.status, 303, `${path} ${answer.status}: ${await answer.text()}`);
      return new URL(answer.headers.get("location")!, "http://callboard.test").pathname;
    },
    async refused(path: string, form: Record<string, string>, person: Who = "mike") {
      const answer = await world.post(person, path, form);
      assert.equal(answer.status, 422, path);
      return await answer.text();
    },
  };
}

Deno.test("forms define a workflow step by step, without a script", async () => {
  await using stage = await newWorkflowStage();
  const { list, read, save, refused } = pagesOf(stage);
  const template = String(await stage.template({ name: "Build shop" }));
  assert.match(await read(list), /No workflows yet/);
  assert.match(await refused(`${list}/new/edit`, { name: "" }), /required/);
  const page = await save(`${list}/new/edit`, { name: "Release", description: "On Fridays" });
  assert.match(await read(page), /Add the first step below/);
  const choice = await read(`${page}/steps/new?kind=template`);
  assert.ok(choice.includes("Build shop") && !choice.includes('name="starts"'));
  assert.ok(
    (await read(`${page}/steps/new?kind=template&template=${template}`)).includes("starts"),
  );
  const task = { kind: "template", template_id: template, starts: "previous", join: "all" };
  await save(`${page}/steps/new`, { ...task, name: "" });
  await save(`${page}/steps/new`, {
    ...{ kind: "approval", name: "Ready?", starts: "previous", join: "all", needed: "2" },
    ...{ roles: ["owner", "manager"], not_starter: "true", timeout_minutes: "30" },
    ...{ on_timeout: "rejected", message: "Go?" },
  });
  await save(`${page}/steps/new`, { ...task, name: "Deploy" });
  await save(`${page}/steps/new`, { kind: "wait", name: "Watch", starts: "first", minutes: "5" });
  const back = { ...task, name: "Roll back", starts: "chosen", join: "any" };
  await save(`${page}/steps/new`, { ...back, "links.3": "failure", "links.4": "always" });
  const { steps } = await stage.call("GET", page.replace(/^\/project\/\d+/, ""));
  assert.deepEqual(steps.map(({ name }: { name: string }) => name), [
    ...["Build shop", "Ready?", "Deploy", "Watch", "Roll back"],
  ]);
  assert.deepEqual(steps[1].approval, {
    ...{ roles: ["owner", "manager"], user_ids: [], needed: 2, not_starter: true },
    ...{ not_editor: false, timeout_minutes: 30, on_timeout: "rejected", message: "Go?" },
  });
  assert.deepEqual([steps[2].after, steps[3].after], [null, []]);
  assert.deepEqual(steps[4].after, [{ step: 3, when: "failure" }, { step: 4, when: "always" }]);
  const html = await read(page);
  assert.ok(html.includes("Deploy, if it fails") && html.includes("<svg"));

  // The form shows what is stored, and refuses a circle at its field.
  const stored = await read(`${page}/steps/5`);
  assert.match(stored, /name="links\.3"[^]*?<option value="failure" selected/);
  const circle = {
    kind: "wait",
    name: "Watch",
    starts: "chosen",
    minutes: "5",
    "links.5": "always",
  };
  assert.match(await refused(`${page}/steps/4`, circle), /href="#field-starts"/);
  await save(`${page}/steps/4/move`, { to: "0" });
  await save(`${page}/steps/3/delete`, {});
  const later = await stage.call("GET", page.replace(/^\/project\/\d+/, ""));
  assert.deepEqual(later.steps.map(({ name }: { name: string }) => name), [
    ...["Watch", "Build shop", "Ready?", "Roll back"],
  ]);
  assert.deepEqual(later.steps[3].after, [{ step: 4, when: "always" }]);
});

Deno.test("a step that two people changed is saved with the values that were chosen", async () => {
  await using stage = await newWorkflowStage();
  const { list, read, save } = pagesOf(stage);
  const page = await save(`${list}/new/edit`, { name: "Release" });
  await save(`${page}/steps/new`, { kind: "wait", name: "Watch", starts: "first", minutes: "5" });
  const step = `${page}/steps/1`;
  const opened = sentForm(await read(step), step);
  await save(step, { ...opened, minutes: "7" });

  const late = await stage.world.post("mike", step, { ...opened, name: "Look", minutes: "9" });
  assert.equal(late.status, 409);
  const html = await late.text();
  const [theirs] = /theirs [\w-]+/.exec(html)!;
  await save(step, { ...sentForm(html, step), "conflict.minutes": theirs });
  const { steps } = await stage.call("GET", page.replace(/^\/project\/\d+/, ""));
  assert.deepEqual([steps[0].name, steps[0].minutes], ["Look", 7]);
});

Deno.test("a step takes the answers to its survey from the form or from earlier steps", async () => {
  await using stage = await newWorkflowStage();
  const { list, read, save } = pagesOf(stage);
  const survey_vars = [
    { name: "version", title: "Version", type: "", required: true },
    { name: "color", title: "Color", type: "" },
    { name: "note", title: "Note", type: "" },
  ];
  const template = String(await stage.template({ survey_vars }));
  const page = await save(`${list}/new/edit`, {
    name: "Release",
    "survey_vars.0.name": "wish",
    "survey_vars.0.title": "Your wish",
  });
  const task = { kind: "template", template_id: template, starts: "previous", name: "Build" };
  await save(`${page}/steps/new`, { ...task, "answers.version": "1" });
  await save(`${page}/steps/new`, {
    ...{ ...task, name: "Deploy", "answers.color": "blue" },
    ...{ "values.version.from": "step:1", "values.version.name": "" },
    "values.note.from": "answer:wish",
  });
  const { steps: [, deploy] } = await stage.call("GET", page.replace(/^\/project\/\d+/, ""));
  assert.deepEqual(JSON.parse(deploy.params.environment), { color: "blue" });
  assert.deepEqual(deploy.values, [
    { var: "version", from: { step: 1, name: "version" } },
    { var: "note", from: { answer: "wish" } },
  ]);
  const form = await read(`${page}/steps/2`);
  assert.match(form, /value="step:1" selected/);
  assert.match(form, /value="answer:wish" selected/);
});

Deno.test("a workflow asks only what needs neither a repository nor an inventory", async () => {
  await using stage = await newWorkflowStage();
  const { list, refused } = pagesOf(stage);
  const question = { "survey_vars.0.name": "where", "survey_vars.0.title": "Where" };
  const host = { name: "Release", ...question, "survey_vars.0.type": "host" };
  assert.match(await refused(`${list}/new/edit`, host), /no repository and no inventory/);
  const file = {
    ...{ ...host, "survey_vars.0.type": "enum", "survey_vars.0.choices_from.source": "file" },
    "survey_vars.0.choices_from.path": "choices.yml",
  };
  assert.match(await refused(`${list}/new/edit`, file), /no repository and no inventory/);
});

Deno.test("a step waits for earlier ones only, and says in its folded sections what it holds", async () => {
  await using stage = await newWorkflowStage();
  const { list, read } = pagesOf(stage);
  const template_id = await stage.template();
  const after = (step: number) => [{ step, when: "success" }];
  const id = await stage.workflow([
    { id: -1, kind: "template", template_id, name: "Build", after: [] },
    {
      id: -2,
      kind: "template",
      template_id,
      name: "Deploy",
      after: after(-1),
      params: { message: "Friday" },
    },
    { id: -3, kind: "wait", minutes: 1, name: "Watch", after: after(-2) },
    { id: -4, kind: "wait", minutes: 1, name: "Beside", after: [] },
  ]);
  const { steps } = await stage.call("GET", `/workflows/${id}`);
  const ids = steps.map(({ id }: { id: number }) => id);
  const offered = async (step: number | "new?kind=wait") =>
    [...(await read(`${list}/${id}/steps/${step}`)).matchAll(/<select[^>]*name="links\.(\d+)"/g)]
      .map(([, id]) => ids.indexOf(Number(id)) + 1);
  assert.deepEqual(await offered(ids[0]), [4]);
  assert.deepEqual(await offered(ids[1]), [1, 4]);
  assert.deepEqual(await offered(ids[2]), [1, 2, 4]);
  assert.deepEqual(await offered("new?kind=wait"), [1, 2, 3, 4]);
  const html = await read(`${list}/${id}/steps/${ids[1]}`);
  const summaries = [...html.matchAll(/class="fold-summary"[^>]*>([^<]*)</g)].map(([, it]) => it);
  assert.deepEqual(summaries, [
    "Chosen steps · Build: if it succeeds",
    "Message (Optional): Friday",
  ]);
});

Deno.test("a run is started, approved, stopped and repeated on its pages", async () => {
  await using stage = await newWorkflowStage();
  const { list, read, save } = pagesOf(stage);
  const template = await stage.template();
  const id = await stage.workflow([
    { kind: "template", template_id: template, name: "Build" },
    { kind: "approval", name: "Ready?", approval: { needed: 2, message: "Deploy it?" } },
    { kind: "template", template_id: template, name: "Deploy" },
  ]);
  const run = await save(`${list}/${id}/run`, { message: "Friday" }, "bob");
  await stage.goOn();
  assert.match(await read(run, "carol"), /Running/);
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();
  const asking = await read(run, "bob");
  assert.ok(asking.includes("Deploy it?") && asking.includes('value="approved"'));
  const seen = await read(run, "carol");
  assert.ok(!seen.includes('value="approved"'), "a guest may not vote");
  await save(`${run}/approvals/2`, { status: "approved", note: "<b>fine</b>" }, "bob");
  const voted = await read(run, "bob");
  assert.ok(!voted.includes('value="approved"') && voted.includes("&lt;b>fine"), voted);
  await save(`${run}/approvals/2`, { status: "approved" }, "alice");
  await stage.goOn();
  await save(`${run}/stop`, {}, "bob");
  await stage.goOn();
  const stopped = await read(run, "bob");
  assert.ok(stopped.includes("Run again from the failed step"));
  const again = await save(`${run}/again`, {}, "bob");
  await stage.goOn();
  const repeated = await read(again, "bob");
  assert.ok(
    repeated.includes("Result kept from the earlier run") && repeated.includes("Continues run"),
  );
  for (const person of ["carol", "dave"] as const) {
    const status = person === "carol" ? 403 : 404;
    assert.equal((await stage.world.post(person, `${list}/${id}/run`)).status, status);
    assert.equal((await stage.world.post(person, `${run}/stop`)).status, status);
    assert.equal((await stage.world.get(person, `${list}/new/edit`)).status, status);
  }
  assert.equal((await stage.world.post("bob", `${list}/${id}/steps/1/delete`)).status, 403);
});

Deno.test("a workflow without steps does not run, and one in use is not deleted", async () => {
  await using stage = await newWorkflowStage();
  const { list, read, save, refused } = pagesOf(stage);
  const page = await save(`${list}/new/edit`, { name: "Inner" });
  const answer = await stage.world.post("bob", `${page}/run`, {});
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /at least one step/);
  await save(`${page}/steps/new`, { kind: "wait", name: "Wait", starts: "first", minutes: "1" });
  const outer = await save(`${list}/new/edit`, { name: "Outer" });
  const nested = { kind: "workflow", name: "Nested", starts: "first" };
  assert.match(await refused(`${outer}/steps/new`, nested), /field-workflow_id/);
  await save(`${outer}/steps/new`, { ...nested, workflow_id: page.split("/").at(-1)! });
  assert.match(await read(`${page}/delete`), /used by[^]*Outer/);
  await save(`${outer}/delete`, {});
  await save(`${page}/delete`, {});
  assert.match(await read(list), /No workflows yet/);
});

Deno.test("a hundred steps are drawn in rows that fit a screen, whatever their links are", async () => {
  await using stage = await newWorkflowStage();
  const { list, read } = pagesOf(stage);
  const always = (step: number) => ({ step, when: "always" });
  const graphs = {
    parallel: (n: number) => n === 1 ? [] : [always(-1)],
    // The most links that there can be: each step waits for all above it.
    dense: (n: number) => Array.from({ length: n - 1 }, (_, above) => always(-1 - above)),
  };
  for (const [name, after] of Object.entries(graphs)) {
    const steps = Array.from({ length: 100 }, (_, n) => ({
      ...{ id: -1 - n, kind: "wait", minutes: 1, name: `Step ${n + 1}`, after: after(n + 1) },
    }));
    const html = await read(`${list}/${await stage.workflow(steps, { name })}`);
    const width = Number(/<svg width="(\d+)"/.exec(html)![1]);
    assert.ok(width < 800, `${name}: ${width} px`);
    const boxes = [...html.matchAll(/<foreignObject[^>]* x="([\d.]+)" y="([\d.]+)"/g)]
      .map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
    assert.equal(boxes.length, 100);
    assert.equal(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size, 100);
    assert.ok(boxes.slice(1).every(({ y }) => y > boxes[0].y));
    const rows = new Set(boxes.map(({ y }) => y)).size;
    assert.equal(rows, name === "dense" ? 100 : 34);
    assert.ok(boxes.every(({ x }) => x >= 0 && x + 208 <= width));
  }
});

Deno.test("forms let a schedule and an integration start a workflow, whose page shows both", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { read, save, refused, list } = pagesOf(stage);
  const question = { name: "region", title: "Region", type: "", required: true };
  const id = await stage.workflow([{ kind: "wait", minutes: 1 }], { survey_vars: [question] });
  const at = `/project/${world.web.id}`;
  const form = await read(`${at}/schedules/new?workflow=${id}`);
  assert.match(form, new RegExp(`<option value="workflow-${id}" selected`));
  assert.ok(form.includes("Region") && !form.includes('name="limit"'));
  const nightly = {
    ...{ template_id: `workflow-${id}`, name: "Nightly", type: "", cron_format: "30 2 * * *" },
    ...{ missed: "skip", if_waiting: "one", active: "true", message: "By night" },
  };
  assert.match(await refused(`${at}/schedules/new`, nightly), /Region[^]*required/);
  await save(`${at}/schedules/new`, { ...nightly, "answers.region": "eu" });
  const [schedule] = await stage.call("GET", "/schedules");
  assert.deepEqual(
    [schedule.template_id, schedule.workflow_id, schedule.task_params],
    [null, id, { message: "By night", environment: '{"region":"eu"}' }],
  );
  const edit = `${at}/schedules/${schedule.id}`;
  assert.match(await read(edit), /name="answers.region"[^>]*value="eu"/);
  await save(edit, { ...nightly, "answers.region": "us" });
  const { task_params } = await stage.call("GET", `/schedules/${schedule.id}`);
  assert.equal(task_params.environment, '{"region":"us"}');
  assert.match(await read(`${at}/schedules`), new RegExp(`workflows/${id}"[^>]*>Release<`));
  const push = { name: "Push", template_id: `workflow-${id}`, auth_method: "" };
  const integration = await save(`${at}/integration/new`, push);
  assert.match(await read(integration), new RegExp(`<option value="workflow-${id}" selected`));
  assert.match(await read(integration, "carol"), new RegExp(`workflows/${id}"[^>]*>Release<`));
  const page = await read(`${list}/${id}`);
  assert.match(page, new RegExp(`schedules/${schedule.id}"[^>]*>Nightly<`));
  assert.match(page, new RegExp(`${integration}"[^>]*>Push<`));
  assert.match(await read(`${list}/${id}`, "carol"), /schedules#schedule-\d+"[^>]*>Nightly</);
});
