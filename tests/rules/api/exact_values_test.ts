import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { parseExact } from "@/lib/base/text/exact_json.ts";
import { reveal } from "@/lib/base/secret.ts";
import { extraVarsJson } from "@/lib/execution/ansible/extra_vars.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { newRunnerKeys, openPlan, sealPlan } from "@/lib/runner/seal.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { schedule } from "@/tests/support/world/schedules.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const RUNS = Number(Deno.env.get("FC_RUNS") ?? 60);

/** JSON of a value, and the JSON that Ansible gets if it must take texts literally. */
interface Written {
  plain: string;
  literal: string;
}

const same = (text: string): Written => ({ plain: text, literal: text });

const digits = fc.stringMatching(/^(0|[1-9]\d{0,30})$/);
const number = fc.oneof(
  fc.constantFrom("-0", "0.0", "-0.0", "1.0", "1E5", "1e400", "0.1000", "1198765432101234567"),
  fc.tuple(
    fc.constantFrom("", "-"),
    digits,
    fc.stringMatching(/^(\.\d{1,25})?$/),
    fc.stringMatching(/^([eE][+-]?\d{1,3})?$/),
  ).map((parts) => parts.join("")),
).map(same);

const text = fc.string({ unit: "binary", maxLength: 20 }).map((value) => {
  const plain = JSON.stringify(value);
  return { plain, literal: `{"__ansible_unsafe":${plain}}` };
});

/** A name that JavaScript does not move to the front of an object. */
const name = fc.string({ unit: "grapheme", maxLength: 8 }).filter((name) => !/^\d+$/.test(name));

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    number,
    fc.constantFrom("true", "false", "null").map(same),
    text,
    fc.array(tie("value"), { maxLength: 5 }).map((items) => ({
      plain: `[${items.map(({ plain }) => plain)}]`,
      literal: `[${items.map(({ literal }) => literal)}]`,
    })),
    fc.uniqueArray(fc.tuple(name, tie("value")), { selector: ([name]) => name, maxLength: 5 })
      .map((members) => {
        const json = (kind: keyof Written) =>
          `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value[kind]}`)}}`;
        return { plain: json("plain"), literal: json("literal") };
      }),
  ),
}));

const keys = await newRunnerKeys();

/** Returns the JSON of the extra vars that a task's play gets, here and on a runner. */
async function extraVarsOf(world: World, taskId: number): Promise<string[]> {
  const plan = await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, taskId));
  const sealed = await sealPlan({ kind: "playbook", plan }, keys.publicKey, "1/x");
  const opened = await openPlan(sealed, keys.privateKey, "1/x");
  return [plan, opened.plan as AnsiblePlan].map((one) => reveal(extraVarsJson(one), "compare"));
}

/** Returns the JSON of the extra var "exact" in both. */
const reached = async (world: World, taskId: number): Promise<string[]> =>
  (await extraVarsOf(world, taskId)).map((all) => {
    const { exact } = parseExact(all) as Record<string, unknown>;
    // It is part of the file as it stands here, because JSON is written in only one way.
    const found = JSON.stringify(exact);
    assert.ok(all.includes(`"exact":${found}`), all);
    return found;
  });

/** Sends a body as Alice, who manages the project. Returns the answer. */
async function send(world: World, method: string, path: string, body: string) {
  const answer = await world.api("alice", method, path, parseExact(body));
  assert.ok(answer.status < 300, `${method} ${path} ${body}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const always = (check: (written: Written) => Promise<void>, runs = RUNS) =>
  fc.assert(fc.asyncProperty(value, check), { numRuns: Math.ceil(runs) });

const named = ({ plain }: Written) => `{"exact":${plain}}`;

Deno.test("variables of an environment reach the play as they were written", async () => {
  await using world = await newWorld();
  const { web } = world;
  const { id: template_id } = await send(
    world,
    "POST",
    `/api/project/${web.id}/templates`,
    JSON.stringify(templateForm(world)),
  );
  const { id } = await send(
    world,
    "POST",
    `/api/project/${web.id}/tasks`,
    JSON.stringify({ template_id }),
  );
  await always(async (written) => {
    const body = JSON.stringify({ id: web.environmentId, name: "Web", json: named(written) });
    await send(world, "PUT", `/api/project/${web.id}/environment/${web.environmentId}`, body);
    assert.deepEqual(await reached(world, id), [written.plain, written.plain]);
  });
});

Deno.test("names that are numbers stay in their places in variables of environments", async () => {
  await using world = await newWorld();
  const { web } = world;
  const make = async (name: string, json: string) => {
    const body = { name, json, secrets: [] };
    return (await send(world, "POST", `/api/project/${web.id}/environment`, JSON.stringify(body)))
      .id as number;
  };
  const first = await make(
    "Ports",
    `{"a" : {"443":"https", "80": ["\\"}", {"2":1.0,"1":2}]},"b":{"2":1,"1":1}}`,
  );
  const second = await make(
    "More",
    `{"b":{"9":9},"c":{"x":{"20":"\\\\","3":{}}} , "d":[{"2":"}"}]}`,
  );
  const environment_ids = [first, second];
  const template = templateForm(world, { environment_id: first, environment_ids });
  const path = `/api/project/${web.id}`;
  const { id: template_id } = await send(
    world,
    "POST",
    `${path}/templates`,
    JSON.stringify(template),
  );
  const { id } = await send(world, "POST", `${path}/tasks`, JSON.stringify({ template_id }));
  const members = [
    '"a":{"443":"https", "80": ["\\"}", {"2":1.0,"1":2}]}',
    '"b":{"9":9}',
    '"c":{"x":{"20":"\\\\","3":{}}}',
    '"d":[{"2":"}"}]',
  ];
  for (const json of await extraVarsOf(world, id)) {
    assert.ok(json.startsWith(`{${members.join(",")},"semaphore_vars":`), json);
  }
});

Deno.test("variables of a task reach the play as they were sent, as JSON or as its text", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { id: template_id } = await send(
    world,
    "POST",
    `${project}/templates`,
    JSON.stringify(templateForm(world)),
  );
  await always(async (written) => {
    for (const sent of [named(written), JSON.stringify(named(written))]) {
      const body = `{"template_id":${template_id},"environment":${sent}}`;
      const { id, environment } = await send(world, "POST", `${project}/tasks`, body);
      assert.equal(environment, named(written));
      assert.deepEqual(await reached(world, id), [written.literal, written.literal]);
      // A task that is started again sends what clients have read.
      const again = JSON.stringify({ template_id, id, environment });
      const { id: next } = await send(world, "POST", `${project}/tasks`, again);
      assert.deepEqual(await reached(world, next), [written.literal, written.literal]);
    }
  }, RUNS / 3);
});

Deno.test("variables of a schedule are exact, also after a backup is restored", async () => {
  await using world = await newWorld({ config: { usersCreateProjects: true } });
  const project = `/api/project/${world.web.id}`;
  const { id: template_id } = await send(
    world,
    "POST",
    `${project}/templates`,
    JSON.stringify(templateForm(world)),
  );
  await always(async (written) => {
    for (const sent of [named(written), JSON.stringify(named(written))]) {
      const body = `{"name":"x","template_id":${template_id},"cron_format":"@daily",
        "active":true,"missed":"run_once","task_params":{"environment":${sent}}}`;
      const { id } = await send(world, "POST", `${project}/schedules`, body);
      await schedule(world, new Date(world.clock.now().getTime() + 24 * 3_600_000));
      const { last_task_id } = (await world.api("alice", "GET", `${project}/schedules/${id}`)).body;
      assert.deepEqual(await reached(world, last_task_id), [written.literal, written.literal]);
      const { body: backup } = await world.api("alice", "GET", `${project}/backup`);
      const restored = await world.api("alice", "POST", "/api/projects/restore?strict=true", {
        ...backup,
        meta: { ...backup.meta, name: `Copy ${id} ${sent.length}` },
      });
      assert.equal(restored.status, 200, JSON.stringify(restored.body));
      const [{ task_params }] = (await world.api(
        "alice",
        "GET",
        `/api/project/${restored.body.id}/schedules`,
      )).body;
      const kept = task_params.environment;
      assert.equal(typeof kept === "string" ? kept : JSON.stringify(kept), named(written));
      await world.api("alice", "DELETE", `${project}/schedules/${id}`);
      await world.api("alice", "DELETE", `/api/project/${restored.body.id}`);
    }
  }, RUNS / 20);
});

Deno.test("integers of any length answer a question, and pass from step to step", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const survey_vars = [{ name: "exact", title: "Account", type: "int" }];
  const template_id = await stage.template({ survey_vars });
  const workflowId = await stage.workflow(
    [{
      id: 1,
      kind: "template",
      name: "Deploy",
      template_id,
      values: [{ var: "exact", from: { answer: "exact" } }],
    }],
    { survey_vars },
  );
  const SENT = [
    ["1198765432101234567", "1198765432101234567"],
    ["-9007199254740993", "-9007199254740993"],
    ["007", "7"],
    ["9".repeat(4300), "9".repeat(4300)],
  ];
  for (const [sent, expected] of SENT) {
    const environment = JSON.stringify({ exact: sent });
    const { id } = await stage.call("POST", "/tasks", { template_id, environment });
    assert.deepEqual(await reached(world, id), [expected, expected]);
    await stage.start(workflowId, { environment });
    const step = (await stage.openTasks()).at(-1)!;
    assert.deepEqual(await reached(world, step.id), [expected, expected]);
  }
  for (const wrong of ["1.5", "1e400", "0x1", "", "9".repeat(4301), "١"]) {
    const environment = JSON.stringify({ exact: wrong });
    const path = `/api/project/${world.web.id}/tasks`;
    const { status } = await world.api("alice", "POST", path, { template_id, environment });
    assert.equal(status, wrong === "" ? 201 : 400, wrong);
  }
});
