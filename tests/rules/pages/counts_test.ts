import assert from "node:assert/strict";
import { activityKeys } from "@/lib/events/activity.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { deleteTemplateTasks, removeTask } from "@/lib/maintenance/tasks.ts";
import type { EventRow } from "@/lib/events/schema.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { positionInTasks } from "@/lib/tasks/history/position.ts";
import { openProject } from "@/lib/access/scope.ts";
import type { TaskFilter } from "@/lib/tasks/history/filter.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { htmlOf, linkOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function start({ api, web, kv, deploy }: World, template_id = deploy.id): Promise<TaskRow> {
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, { template_id });
  return await getTaskRow(kv, web.id, body.id);
}

const placeOf = async ({ deps, people, web }: World, filter: Partial<TaskFilter> = {}) =>
  positionInTasks(await openProject({ deps, actor: people.carol.actor }, web.id), {
    limit: 20,
    ...filter,
  });
const countOf = async (world: World, filter?: Partial<TaskFilter>) =>
  (await placeOf(world, filter)).of.count;

/** Requires that the counts in rows equal the numbers of rows in their lists. */
async function assertCounted({ kv, web }: World) {
  const counted: Record<string, number> = {};
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix: ["row_counts", web.id] })) {
    if (value.value > 0n) counted[key.slice(2).join()] = Number(value.value);
  }
  const there: Record<string, number> = {};
  for (const kind of ["tasks", "tasks_by_template", "task_history", "builds"]) {
    for await (const { key } of kv.list({ prefix: [kind, web.id] })) {
      const list = [kind, ...key.slice(2, -1)].join();
      there[list] = (there[list] ?? 0) + 1;
    }
  }
  assert.deepEqual(counted, there);
  assert.ok(Object.keys(there).length > 3);
}

Deno.test("a page of tasks says which of how many it shows, on each page and behind each filter", async () => {
  await using world = await newWorld();
  const { web, deploy, kv, people } = world;
  const model = await start(world);
  const changes = Array.from({ length: 44 }, (_, n): Partial<TaskRow> => ({
    status: n % 4 === 0 ? "error" : "success",
    user_id: n % 2 === 0 ? people.mike.id : people.bob.id,
  }));
  await writeHistory(kv, model, changes);
  const paths = [`/project/${web.id}/history`, `/project/${web.id}/templates/${deploy.id}`];
  for (const path of paths) {
    const pages: string[] = [];
    for (let page: string | undefined = path; page;) {
      const html: string = await htmlOf(await world.get("carol", page));
      pages.push(/[\d,]+–[\d,]+ of [\d,+]+/.exec(html)![0]);
      page = linkOf(html, "Older");
    }
    assert.deepEqual(pages, ["1–20 of 45", "21–40 of 45", "41–45 of 45"]);
  }
  assert.equal(await countOf(world, { statuses: ["error"] }), 11);
  assert.equal(await countOf(world, { statuses: ["error"], userId: people.mike.id }), 11);
  assert.equal(await countOf(world, { statuses: ["success"], userId: people.mike.id }), 11);
  assert.equal(await countOf(world, { templateId: deploy.id, userId: people.bob.id }), 23);
  assert.equal(await countOf(world, { statuses: ["waiting"] }), 1);
  assert.equal(await countOf(world, { to: "2000-01-01T00:00:00Z" }), 0);
});

Deno.test("far pages and counts without an index are read to a bound, and say so", async () => {
  await using world = await newWorld();
  const model = { ...await start(world), status: "success" } as const;
  const [oldest] = await writeHistory(world.kv, model, Array(1_200).fill({}));
  const from = "2000-01-01T00:00:00Z";
  assert.deepEqual(await placeOf(world, { from }), {
    skipped: 0,
    of: { count: 1_000, isMore: true },
  });
  const far = await placeOf(world, { before: oldest.id + 1 });
  assert.deepEqual(far, { skipped: null, of: { count: 1_201 } });
  const path = `/project/${world.web.id}/history?before=${oldest.id + 1}`;
  assert.match(await htmlOf(await world.get("carol", path)), /2 of 1,201/);
});

Deno.test("counts are exact, however many objects start, end and go in parallel", async () => {
  await using world = await newWorld();
  const { kv, web, deploy } = world;
  const path = `/api/project/${web.id}/templates`;
  const { body } = await world.api("alice", "GET", `${path}/${deploy.id}`);
  const other = (await world.api("alice", "POST", path, { ...body, id: 0, name: "Other" })).body.id;
  const begun = await Promise.all(
    Array.from({ length: 24 }, (_, n) => start(world, n % 2 ? other : deploy.id)),
  );
  await assertCounted(world);
  // Two ends in parallel, and two deletions. Only one of each counts.
  const end = (task: TaskRow) => [
    advance(kv, task, "stopped"),
    advance(kv, task, "error"),
  ];
  await Promise.allSettled(begun.slice(0, 16).flatMap(end));
  await assertCounted(world);
  const ended = await Promise.all(begun.slice(0, 10).map(({ id }) => getTaskRow(kv, web.id, id)));
  const gone = await Promise.allSettled([
    ...ended.flatMap((task) => [removeTask(kv, task), removeTask(kv, task)]),
    ...Array.from({ length: 6 }, () => start(world)),
  ]);
  assert.equal(gone.filter(({ status }) => status === "rejected").length, 10);
  await assertCounted(world);
  assert.equal(await countOf(world), 20);

  const open = begun.slice(16).filter(({ template_id }) => template_id === other);
  await Promise.all(open.map((task) => advance(kv, task, "stopped")));
  await deleteTemplateTasks(kv, web.id, other);
  await assertCounted(world);
  assert.equal(await countOf(world, { templateId: other }), 0);
});

Deno.test("a page of activity says which of how many it shows, to a bound", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/activity`;
  const shown = (page: string) => /[\d,]+(–[\d,]+)? of [\d,+]+/.exec(page)![0];
  const record = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const key = rowKeys.event(world.web.id, `2020-01-01T00:00:00.${n}Z`, "x");
      const row: EventRow = {
        ...{ created: key[2] as string, user_id: null, username: null, object_type: "key" },
        ...{ object_id: 1, object_name: "K", action: "created", params: { name: "K" } },
      };
      const op = world.kv.atomic().set(key, row);
      for (const index of activityKeys(key, row)) op.set(index, true);
      await op.commit();
    }
    await world.kv.set(rowKeys.eventsStamp(), world.web.id);
  };
  await record(30);
  const first = await htmlOf(await world.get("carol", path));
  const total = Number(/of (\d+)/.exec(shown(first))![1]);
  const second = await htmlOf(await world.get("carol", linkOf(first, "Older")!));
  assert.equal(shown(second), `21–${Math.min(40, total)} of ${total}`);
  await record(1_010);
  assert.equal(shown(await htmlOf(await world.get("carol", path))), "1–20 of 1,000+");
  const far = await htmlOf(await world.get("carol", `${path}?before=2020-01-01T00:00:00.1`));
  assert.equal(shown(far), "1 of 1,000+");
});

Deno.test("a template goes with its counts, of however many people they are", async () => {
  await using world = await newWorld();
  const { kv, web, deploy } = world;
  for (let from = 1; from <= 1_200; from += 200) {
    const op = kv.atomic();
    for (let user = from; user < from + 200; user++) {
      op.sum(rowKeys.rowCount(web.id, "task_history", deploy.id, user, "success"), 1n);
    }
    await op.commit();
  }
  await deleteTemplateTasks(kv, web.id, deploy.id);
  const prefix = rowKeys.rowCount(web.id, "task_history", deploy.id);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix }, { limit: 1 })), []);
});
