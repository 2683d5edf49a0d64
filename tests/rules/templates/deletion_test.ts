import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { integrationService } from "@/lib/triggers/integrations/service.ts";
import { integrationForm } from "@/lib/triggers/integrations/schema.ts";
import { countOf } from "@/lib/store/counted.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { scheduleRows, setDue } from "@/lib/triggers/schedules/repository.ts";
import { scheduleForm } from "@/lib/triggers/schedules/schema.ts";
import { createSchedule, updateSchedule } from "@/lib/triggers/schedules/service.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { templateForm as templateSchema } from "@/lib/templates/schema.ts";
import { createCheckedTemplate } from "@/lib/triggers/checks/templates.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { sweepOrphans } from "@/lib/maintenance/projects/orphans.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { beforeCommit } from "@/tests/support/basics/before_commit.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Creates a template with schedules. Every other one looks at a repository. */
async function makeTemplate(world: World, schedules = 12): Promise<number> {
  const { deps, people, web } = world;
  const form = templateSchema.parse(
    templateForm(world, { type: "build", start_version: "1" }),
  );
  const { id } = await createCheckedTemplate(
    await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources"),
    form,
  );
  for (let n = 0; n < schedules; n++) {
    await createSchedule(
      await openProject({ deps, actor: people.mike.actor }, web.id, "manage_triggers"),
      scheduleOf(world, id, n),
    );
  }
  return id;
}

const scheduleOf = ({ web }: World, template_id: number, n: number) =>
  scheduleForm.parse({
    template_id,
    name: `Schedule ${n}`,
    cron_format: `${n} 3 * * *`,
    repository_id: n % 2 ? web.repositoryId : null,
  });

/** Returns every row that people could notice, without the counters of ids, wakes and guards. */
async function snapshot({ kv }: World) {
  const rows: Record<string, unknown> = {};
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const first = String(key[0]);
    // Rows that other calls change, too.
    if (!["ids", "row_counts"].includes(first) && !/_(wake|guard|guards|stamp)$/.test(first)) {
      rows[key.join("/")] = value;
    }
  }
  return rows;
}

/** Does `work` right before the commit that would delete a template. */
const beforeDeletion = ({ kv }: World, work: () => Promise<unknown>) =>
  beforeCommit(kv, "delete", "templates", work);

/** Objects that prevent a template from being deleted. */
const USES: Record<string, (world: World, template: number) => Promise<unknown>> = {
  "a task that has no end": async ({ deps, people, web }, template_id) =>
    startTask(
      await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks"),
      parseStart({
        template_id,
      }),
    ),
  "an integration that starts it": async ({ deps, people, web }, template_id) =>
    integrationService.create(
      await openProject({ deps, actor: people.mike.actor }, web.id, "manage_triggers"),
      integrationForm.parse({ name: "Push", template_id }),
    ),
  "a template that deploys it": async (world, build_template_id) =>
    createCheckedTemplate(
      await openProject(
        { deps: world.deps, actor: world.people.mike.actor },
        world.web.id,
        "manage_resources",
      ),
      templateSchema.parse(templateForm(world, { type: "deploy", build_template_id })),
    ),
};

for (const [name, use] of Object.entries(USES)) {
  Deno.test(`${name} keeps a template with all that it has, also when it comes in the last moment`, async () => {
    await using world = await newWorld();
    const { deps, people, web } = world;
    const refuse = async (id: number) =>
      assert.rejects(
        deleteTemplate(
          await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources"),
          id,
        ),
        { status: 409 },
      );
    const early = await makeTemplate(world);
    await use(world, early);
    const before = await snapshot(world);
    await refuse(early);
    assert.deepEqual(await snapshot(world), before);

    const late = await makeTemplate(world);
    const had = await snapshot(world);
    const moment = beforeDeletion(world, () => use(world, late));
    await refuse(late);
    assert.ok(moment.happened());
    const has = await snapshot(world);
    for (const [key, value] of Object.entries(had)) assert.deepEqual(has[key], value, key);
  });
}

/** Changes of a schedule that may happen while its template is deleted. */
const CHANGES: Record<string, (world: World, template: number) => Promise<unknown>> = {
  "is made": async ({ deps, people, web, ...world }, template) =>
    createSchedule(
      await openProject({ deps, actor: people.mike.actor }, web.id, "manage_triggers"),
      scheduleOf({ ...world, deps, people, web }, template, 20),
    ),
  "looks at a repository now, at another time": async (world, template) => {
    const [row] = await rowsOf(world, template);
    const form = scheduleOf(world, template, 31);
    await updateSchedule(
      await openProject(
        { deps: world.deps, actor: world.people.mike.actor },
        world.web.id,
        "manage_triggers",
      ),
      row.id,
      form,
    );
  },
};

const rowsOf = async ({ kv, web }: World, template: number) =>
  (await scheduleRows.list(kv, web.id)).filter(({ template_id }) => template_id === template);

/** Returns the keys of rows that name a schedule. */
async function scheduleKeys({ kv }: World): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of kv.list({ prefix: [] })) {
    const isSchedules = ["schedules", "schedules_due"].includes(String(key[0])) ||
      (key[0] === "references" && key[4] === "schedules") ||
      (key[0] === "reference_guards" && key[2] === "templates");
    if (isSchedules) found.push(key.join("/"));
  }
  return found;
}

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`a schedule that ${name} while its template goes, goes with it`, async () => {
    await using world = await newWorld();
    const { deps, people, web } = world;
    const before = await scheduleKeys(world);
    const id = await makeTemplate(world);
    const moment = beforeDeletion(world, () => change(world, id));
    await deleteTemplate(
      await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources"),
      id,
    );
    assert.ok(moment.happened());
    assert.deepEqual(await scheduleKeys(world), before);
  });
}

Deno.test("a schedule that moves to another template while its own goes, stays", async () => {
  await using world = await newWorld();
  const { deps, people, web, deploy } = world;
  const id = await makeTemplate(world, 3);
  const [moving] = await rowsOf(world, id);
  const moment = beforeDeletion(
    world,
    async () =>
      updateSchedule(
        await openProject({ deps, actor: people.mike.actor }, web.id, "manage_triggers"),
        moving.id,
        scheduleOf(world, deploy.id, 0),
      ),
  );
  await deleteTemplate(
    await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources"),
    id,
  );
  assert.ok(moment.happened());
  assert.deepEqual((await scheduleRows.list(world.kv, web.id)).map((row) => row.id), [moving.id]);
});

/** Creates a template with this many finished tasks. */
async function makeHistory(world: World, count: number): Promise<number> {
  const { deps, people, web, kv, deploy } = world;
  const id = await makeTemplate(world, 0);
  const scope = await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks");
  const task = await startTask(scope, parseStart({ template_id: deploy.id }));
  const model: TaskRow = {
    ...await getTaskRow(kv, web.id, task.id),
    template_id: id,
    status: "success",
  };
  await writeHistory(kv, model, Array.from({ length: count }, () => ({})));
  return id;
}

const tasksOf = async ({ kv, web }: World, id: number) =>
  (await Array.fromAsync(kv.list<TaskRow>({ prefix: rowKeys.tasks(web.id) })))
    .filter(({ value }) => value.template_id === id).length;

Deno.test("a long history goes in few commits, and what a crash leaves goes at the next start", async () => {
  await using world = await newWorld();
  const { deps, people, web, kv } = world;
  const scope = await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources");
  const id = await makeHistory(world, 300);
  const atomic = kv.atomic.bind(kv);
  let [commits, commitsMax] = [0, 20];
  kv.atomic = () => {
    if (++commits > commitsMax) throw new Error("killed");
    return atomic();
  };
  await assert.rejects(deleteTemplate(scope, id), /killed/);
  const left = await tasksOf(world, id);
  assert.ok(left > 0 && left < 300, String(left));
  [commits, commitsMax] = [0, 150];
  await sweepOrphans(deps);
  assert.equal(await tasksOf(world, id), 0);
  kv.atomic = atomic;
  const index = kv.list({ prefix: rowKeys.tasksByTemplate(web.id, id) });
  assert.deepEqual(await Array.fromAsync(index), []);
  assert.equal(await countOf(kv, [rowKeys.tasks(web.id)]), 1);
});

Deno.test("the answer does not wait until a long history is removed", async () => {
  await using world = await newWorld();
  const { deps, people, web } = world;
  const scope = await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources");
  const id = await makeHistory(world, 300);
  await deleteTemplate(scope, id, undefined, 1);
  assert.equal((await world.kv.get(rowKeys.resource("templates", web.id, id))).value, null);
  assert.ok(await tasksOf(world, id) > 0);
  await until(async () => await tasksOf(world, id) === 0);
});

Deno.test("more schedules than one commit takes go too, as restored projects may have them", async () => {
  await using world = await newWorld();
  const { deps, people, web, kv } = world;
  const before = await scheduleKeys(world);
  const id = await makeTemplate(world, 1);
  const [row] = await rowsOf(world, id);
  for (let n = 1; n <= 350; n++) {
    const op = kv.atomic();
    const planted = { ...row, id: row.id + n, repository_id: web.repositoryId };
    scheduleRows.plant(op, planted);
    setDue(op, planted);
    await op.commit();
  }
  await deleteTemplate(
    await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources"),
    id,
  );
  assert.deepEqual(await scheduleKeys(world), before);
  assert.equal((await kv.get(rowKeys.resource("templates", web.id, id))).value, null);
});
