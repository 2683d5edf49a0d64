import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { templateRows } from "@/lib/templates/repository.ts";
import { templateForm } from "@/lib/templates/schema.ts";
import { createCheckedTemplate } from "@/lib/triggers/checks/templates.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { templateForm as templateBody } from "@/tests/support/world/forms.ts";
import { join } from "node:path";
import { openStore } from "@/lib/store/file/open_store.ts";
import { transact } from "@/lib/store/transact.ts";
import type { Store } from "@/lib/store/store.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { holdHistory, insertTask } from "@/lib/tasks/insert.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import { sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;

/** Creates a world whose store another server, or a script, has opened as well. */
async function newSharedWorld(use: (world: World, other: Store) => Promise<void>) {
  const home = await Deno.makeTempDir({ prefix: "callboard_polled_" });
  try {
    const kvPath = join(home, "callboard.kv");
    await using world = await newWorld({
      kvPath,
      config: { retention: { tasksPerTemplate: 0, taskDays: 0, eventDays: 1 } },
    });
    using other = await openStore(kvPath);
    await use(world, other);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Checks that the list that clients poll matches the store after each change. */
async function checkChanges(
  world: World,
  { polled, read }: Record<"polled" | "read", string>,
  changes: Record<string, () => Promise<unknown>>,
) {
  const ask = async (path: string) => {
    const { status, body } = await world.api("alice", "GET", `/api/project/${world.web.id}${path}`);
    assert.equal(status, 200);
    return body;
  };
  let before = await ask(polled);
  for (const [name, change] of Object.entries(changes)) {
    await change();
    const after = await ask(polled);
    assert.notDeepEqual(after, before, name);
    assert.deepEqual(after, await ask(read), name);
    assert.deepEqual(await ask(polled), after, name);
    before = after;
  }
}

Deno.test("a polled list of tasks shows each change immediately, whoever made it", async () => {
  await newSharedWorld(async (world, other) => {
    const { deps, people, web, deploy, kv, api } = world;
    const path = `/api/project/${web.id}`;
    const scope = await openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks");
    const first = await startTask(scope, parseStart({ template_id: deploy.id }));
    const step = { ...first, project_id: web.id };
    const template = (await api("alice", "GET", `${path}/templates/${deploy.id}`)).body;
    // Longer lists than those that are polled are read again each time.
    await checkChanges(world, { polled: "/tasks/last", read: "/tasks?count=1000" }, {
      start: () => api("bob", "POST", `${path}/tasks`, { template_id: deploy.id }),
      step: () => advance(kv, step, "starting"),
      "step on another server": () => advance(other, step, "running"),
      "commit, on another server": () => amendTask(other, step, { commit_message: "Fix" }),
      end: () => advance(kv, step, "success"),
      "new name of its template": () =>
        api("alice", "PUT", `${path}/templates/${deploy.id}`, { ...template, name: "Renamed" }),
      import: async () => {
        const ended = await getTaskRow(kv, web.id, first.id);
        const later = { ...ended, id: first.id + 1000 };
        await transact(
          other,
          async (op) => insertTask(op, await holdHistory(other, op, later), later),
        );
      },
      deletion: () => api("erin", "DELETE", `${path}/tasks/${first.id}`),
    });
  });
});

Deno.test("a polled list of events shows each change immediately, whoever made it", async () => {
  await newSharedWorld(async (world, other) => {
    const { deps, people, web, deploy, clock, api } = world;
    const path = `/api/project/${web.id}`;
    const there = { deps: { ...deps, kv: other }, actor: people.bob.actor };
    const scope = await openProject(there, web.id, "run_tasks");
    await checkChanges(world, { polled: "/events/last?limit=200", read: "/events?limit=1000" }, {
      "new key": () => api("alice", "POST", `${path}/keys`, { name: "New", type: "none" }),
      "start on another server": () => startTask(scope, parseStart({ template_id: deploy.id })),
      "new name of the project": () => api("alice", "PUT", path, { name: "New name" }),
      "end of retention": () => {
        clock.advance(2 * DAY_MS);
        return sweepPast({ ...deps, kv: other });
      },
    });
  });
});

Deno.test("the list of templates shows each change immediately, whoever made it", async () => {
  await newSharedWorld(async (world, other) => {
    const { deps, people, web, deploy, kv, api } = world;
    const path = `/api/project/${web.id}/templates`;
    const list = async () => (await api("alice", "GET", path)).body as { id: number }[];
    const oneByOne = async () =>
      await Promise.all(
        (await templateRows.list(kv, web.id)).map(async ({ id }) =>
          (await api("alice", "GET", `${path}/${id}`)).body
        ),
      );
    const byId = (rows: { id: number }[]) => rows.toSorted((a, b) => a.id - b.id);
    const there = { deps: { ...deps, kv: other }, actor: people.mike.actor };
    const scope = await openProject(there, web.id, "manage_resources");
    const starter = await openProject(there, web.id, "run_tasks");
    let task = { id: 0, project_id: web.id };
    const changes: Record<string, () => Promise<unknown>> = {
      "new template, on another server": () =>
        createCheckedTemplate(scope, templateForm.parse(templateBody(world, { name: "New" }))),
      "new name": async () => {
        const template = (await api("alice", "GET", `${path}/${deploy.id}`)).body;
        await api("alice", "PUT", `${path}/${deploy.id}`, { ...template as object, name: "Other" });
      },
      "start on another server": async () => {
        task = {
          ...await startTask(starter, parseStart({ template_id: deploy.id })),
          project_id: web.id,
        };
      },
      step: () => advance(other, task, "starting"),
      end: () => advance(kv, task, "error"),
      "deletion of the task": () =>
        api("erin", "DELETE", `/api/project/${web.id}/tasks/${task.id}`),
      "deletion, on another server": async () => {
        const last = (await templateRows.list(kv, web.id)).at(-1)!;
        await deleteTemplate(scope, last.id);
      },
    };
    let before = await list();
    for (const [name, change] of Object.entries(changes)) {
      await change();
      const after = await list();
      assert.notDeepEqual(after, before, name);
      assert.deepEqual(byId(after), await oneByOne(), name);
      before = after;
    }
  });
});
