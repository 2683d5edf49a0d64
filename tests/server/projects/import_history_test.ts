import assert from "node:assert/strict";
import { ConfigError } from "@/lib/base/settings/settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { importProject } from "@/lib/maintenance/semaphore/import.ts";
import { restSource } from "@/lib/maintenance/semaphore/rest.ts";
import { planHistory } from "@/lib/maintenance/semaphore/plan_history.ts";
import type { Item, Source, SourceProject } from "@/lib/maintenance/semaphore/source.ts";
import { sqliteSource } from "@/lib/maintenance/semaphore/sqlite.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { removeProject } from "@/lib/maintenance/projects/sweep.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { newEverything } from "@/tests/support/server/everything.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { box, makeDatabase } from "@/tests/support/services/semaphore_database.ts";
import { serveWorld, tokenOf } from "@/tests/support/world/serve_world.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/**
 * A server with finished tasks: three builds, a deploy, a failure and a stop. One task still waits.
 */
interface OldServer extends AsyncDisposable {
  world: World;
  source: Source;
  projectId: number;
}

async function newOldServer(): Promise<OldServer> {
  const world = await newWorld();
  const { web } = world;
  await using bench = await newRunBench();
  const base = `/api/project/${web.id}`;
  const make = async (kind: string, body: object): Promise<number> => {
    const made = await world.api("alice", "POST", `${base}/${kind}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const repository_id = await make("repositories", {
    name: "Bench",
    git_url: bench.repository.url,
    git_branch: "main",
    ssh_key_id: web.keyId,
  });
  const template = (form: object) =>
    make("templates", templateForm(world, { repository_id, playbook: "site.yml", ...form }));
  const build = await template({ name: "Build", type: "build", start_version: "1.0.8" });
  const deploy = await template({ name: "Bring out", type: "deploy", build_template_id: build });
  const site = await template({
    name: "Site",
    survey_vars: [{ name: "callboard_stand_in_lines", title: "Lines", type: "int" }, {
      name: "callboard_stand_in_exit",
      title: "Exit",
      type: "int",
    }, { name: "callboard_stand_in_sleep_ms", title: "Pause", type: "int" }],
  });
  const dispatcher = startDispatcher(world.deps, {
    environment: bench.environment,
    shared: false,
  });
  world.deps.wakeDispatcher = dispatcher.wake;
  const run = async (template_id: number, status: string, more: object = {}) => {
    world.clock.advance(60_000);
    const id = await make("tasks", { template_id, ...more });
    const isIn = async (status: string) =>
      (await world.api("alice", "GET", `${base}/tasks/${id}`)).body.status === status;
    if (status === "stopped") {
      await until(() => isIn("running"));
      await world.api("alice", "POST", `${base}/tasks/${id}/stop`, { force: true });
    }
    await until(() => isIn(status));
  };
  const answers = (answers: Record<string, number>) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(answers).map(([name, value]) => [`callboard_stand_in_${name}`, value]),
      ),
    );
  await run(build, "success", { message: "The first" });
  await run(site, "error", { environment: answers({ exit: 2 }) });
  await run(build, "success");
  await run(deploy, "success");
  await run(site, "stopped", { environment: answers({ sleep_ms: 60_000 }) });
  await run(site, "success", { environment: answers({ lines: 3_000 }), dry_run: true });
  await run(build, "success");
  await dispatcher.stop(0);
  await make("tasks", { template_id: site }); // it waits
  const { url, stop } = serveWorld(world);
  return {
    world,
    source: restSource(url, await tokenOf(world)),
    projectId: web.id,
    async [Symbol.asyncDispose]() {
      await stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Returns the members of a task that are the same on both servers, without its ids. */
function told({ id: _, project_id: __, template_id, params, build_task, ...task }: TaskView) {
  const { inventory_id: ___, build_task_id: ____, user_id: _____, end_reason: ______, ...known } =
    task;
  // Other servers do not say which Ansible ran, or why a task ended.
  const { ansible_version: _______, reason: ________, ...rest } = known;
  return { ...rest, params, template: template_id > 0, build: build_task?.version ?? null };
}

const historyOf = async (world: World, projectId: number): Promise<TaskView[]> =>
  (await world.api("erin", "GET", `/api/project/${projectId}/tasks`)).body;

const outputOf = async (world: World, { project_id, id }: TaskView) => {
  const { body } = await world.api("erin", "GET", `/api/project/${project_id}/tasks/${id}/output`);
  return body.map(({ id, time, output }: Item) => ({ id, time, output }));
};

/** Returns every row except the counters of ids, wakes and guards. */
async function rowsOf({ kv }: World): Promise<string[]> {
  const found = [];
  for await (const { key } of kv.list({ prefix: [] })) {
    const first = String(key[0]);
    if (first !== "ids" && !/_(wake|guard|guards)$/.test(first)) found.push(key.join("/"));
  }
  return found;
}

const ID_MAX = 2 ** 31 - 1;

/** Returns the same source with task ids in descending order, as those of a BoltDB are. */
function countingDown(source: Source): Source {
  const flip = (id: number) => ID_MAX - id;
  return {
    ...source,
    async tasks(projectId, templateId, count) {
      const { tasks, cut } = await source.tasks(projectId, templateId, count);
      return { tasks: tasks.map((task) => ({ ...task, id: flip(task.id) })), cut };
    },
    async task(projectId, id) {
      const task = await source.task(projectId, flip(id));
      const build = task?.build_task_id as number | null;
      return task && { ...task, id, build_task_id: build && flip(build) };
    },
    output: (projectId, id) => source.output(projectId, flip(id)),
  };
}

const isOpen = ({ status }: TaskView) => status === "waiting";

Deno.test("a history is imported with its output, and later tasks continue from there", async () => {
  await using old = await newOldServer();
  await using here = await newWorld();
  const before = await rowsOf(here);
  const published = here.messages.length;
  const { id, history } = await importProject(
    { deps: here.deps, actor: here.people.erin.actor },
    countingDown(old.source),
    old.projectId,
    { history: Infinity },
  );
  const theirs = await historyOf(old.world, old.projectId);
  const ours = await historyOf(here, id!);
  assert.deepEqual(ours.map(told), theirs.filter((task) => !isOpen(task)).map(told));
  for (const { status, reason } of ours) {
    const said = status === "success" ? undefined : "The reason was not imported.";
    assert.equal(reason?.message, said, status);
  }
  assert.deepEqual([ours.length, theirs.filter(isOpen).length], [7, 1]);
  assert.deepEqual(history.leftOut, [{ reason: "not finished yet", tasks: 1 }]);
  const ids = new Map(theirs.map((task) => [task.created, task]));
  for (const task of ours) {
    assert.deepEqual(await outputOf(here, task), await outputOf(old.world, ids.get(task.created)!));
  }
  const deploy = ours.find(({ tpl_type }) => tpl_type === "deploy")!;
  assert.deepEqual([deploy.build_task?.version, deploy.build_task?.project_id], ["1.0.9", id]);
  assert.deepEqual(
    [ours[0].user_id, ours[0].user_name],
    [here.people.alice.id, old.world.people.alice.actor.name],
  );

  const page = await (await here.get("erin", `/project/${id}/tasks/${ours[1].id}`)).text();
  assert.match(page, /of 3,0\d\d/);
  const filter = `status=stopped&user_id=${here.people.alice.id}&template_id=${
    ours[2].template_id
  }`;
  const found = (await here.api("erin", "GET", `/api/project/${id}/tasks?${filter}`)).body;
  assert.deepEqual(found, [ours[2]]);
  const templates = (await here.api("erin", "GET", `/api/project/${id}/templates`)).body as Item[];
  const build = templates.find(({ name }) => name === "Build")!;
  assert.deepEqual([build.tasks, (build.last_task as TaskView).id], [3, ours[0].id]);

  // They cause no messages, and nothing starts.
  assert.ok(!here.messages.slice(published).some(({ type }) => type === "update"));
  const rows = await rowsOf(here);
  const left = /^(open_tasks|jobs|task_imports|task_secrets)\//;
  assert.deepEqual(rows.filter((row) => left.test(row)), []);
  const events = (await here.api("erin", "GET", `/api/project/${id}/events`)).body as Item[];
  assert.ok(!events.some(({ object_type }) => object_type === "task"));

  const started = await here.api("erin", "POST", `/api/project/${id}/tasks`, {
    template_id: build.id,
  });
  assert.equal(started.body.version, "1.0.11");
  assert.ok(started.body.id > ours[0].id);
  await removeProject(here.kv, id!);
  assert.deepEqual(await rowsOf(here), before);
});

Deno.test("the latest tasks of each template come along, and none without being asked for", async () => {
  await using old = await newOldServer();
  await using here = await newWorld();
  const take = async (history?: number, dryRun = false) => {
    const options = { history, dryRun };
    const { erin } = here.people;
    return await importProject(
      { deps: here.deps, actor: erin.actor },
      old.source,
      old.projectId,
      options,
    );
  };
  assert.deepEqual(await historyOf(here, (await take()).id!), []);
  const dry = await take(1, true);
  assert.deepEqual([dry.id, dry.history.total, dry.history.imported], [null, 3, 0]);
  // The latest task of "Site" has not ended. The deploy's build was not imported, but its version
  // was.
  const tasks = await historyOf(here, (await take(1)).id!);
  assert.deepEqual(tasks.map(({ tpl_alias, version }) => [tpl_alias, version]), [
    ["Build", "1.0.10"],
    ["Bring out", null],
  ]);
  const row = await here.kv.get<{ incoming_version: string }>(
    rowKeys.task(tasks[1].project_id, tasks[1].id),
  );
  assert.deepEqual([tasks[1].build_task_id, row.value!.incoming_version], [null, "1.0.9"]);
});

Deno.test("a task that breaks off leaves nothing, and a server that is gone ends the history", async () => {
  await using old = await newOldServer();
  await using here = await newWorld();
  const before = (await rowsOf(here)).filter((row) => row.startsWith("task"));
  let asked = 0;
  async function* broken(projectId: number, taskId: number) {
    if (++asked !== 2 && asked < 4) return yield* old.source.output(projectId, taskId);
    yield* (await Array.fromAsync(old.source.output(projectId, taskId))).slice(0, 2);
    throw new ConfigError("the line is dead");
  }
  const { id, history } = await importProject(
    { deps: here.deps, actor: here.people.erin.actor },
    { ...old.source, output: broken },
    old.projectId,
    { history: 200 },
  );
  assert.deepEqual([history.imported, history.done, history.total], [2, 6, 8]);
  assert.deepEqual(history.leftOut, [{ reason: "the line is dead", tasks: 4 }]);
  assert.equal(history.failed, 4);
  const tasks = await historyOf(here, id!);
  assert.deepEqual(tasks.map(({ status }) => status), ["success", "success"]);
  for (const task of tasks) assert.ok((await outputOf(here, task)).length > 3);
  const heads = (await rowsOf(here)).filter((row) => row.startsWith("task_log_heads/"));
  assert.equal(heads.length, 2);
  await removeProject(here.kv, id!);
  assert.deepEqual((await rowsOf(here)).filter((row) => row.startsWith("task")), before);
});

Deno.test("the remains of an import after a crash are deleted with its project", async () => {
  await using world = await newEverything();
  const logs = async () => (await rowsOf(world)).filter((row) => row.startsWith("task_log"));
  const [begun] = await Array.fromAsync(
    world.kv.list({ prefix: rowKeys.taskImports(world.web.id) }),
  );
  const head = rowKeys.taskLogHead(begun.key[2] as number).join("/");
  await until(async () => (await logs()).includes(head));
  await removeProject(world.kv, world.web.id);
  assert.deepEqual(await logs(), []);
});

Deno.test("output that is not a list, or is incomplete, is reported as that", async () => {
  let answer = "";
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(answer),
  );
  const source = restSource(`http://127.0.0.1:${server.addr.port}`, "token");
  const read = async (text: string) => {
    answer = text;
    return await Array.fromAsync(source.output(1, 2), ({ output }) => output);
  };
  try {
    assert.deepEqual(await read('[{"output":"a"},{"output":"b\\u00e4"}]'), ["a", "bä"]);
    assert.deepEqual([await read("[]"), await read("null")], [[], []]);
    for (const text of ["<html>", '[{"output":"a"},', '[{"output":"a"', "[}"]) {
      await assert.rejects(read(text), ConfigError, text);
    }
  } finally {
    await server.shutdown();
  }
});

Deno.test("secrets that a database gave are masked in what its tasks printed", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using here = await newWorld();
  try {
    await makeDatabase(path);
    const source = await sqliteSource(path, box);
    const { id, history } = await importProject(
      { deps: here.deps, actor: here.people.erin.actor },
      source,
      7,
      {
        history: Infinity,
      },
    );
    assert.deepEqual([history.imported, history.lines], [2, 3]);
    const [later, first] = await historyOf(here, id!);
    assert.deepEqual(
      [first.environment, first.limit, first.user_name, first.end, first.message],
      ['{"release":"r1"}', "web,db", "Alice", "2024-05-01T08:00:03.000Z", "by hand"],
    );
    assert.deepEqual([later.debug, later.params.tags, later.user_name], [true, ["a"], null]);
    assert.deepEqual(await outputOf(here, first), [
      { id: 1, time: "2024-05-01T08:00:01.500Z", output: "one of 11" },
      {
        id: 2,
        time: "2024-05-01T08:00:02.250Z",
        output: "the password is ***, the PIN ***, not ***",
      },
    ]);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a server that always offers another page is asked a limited number of times, and named", async () => {
  const created = "2024-05-01T08:00:00Z";
  let asked = 0;
  // Every page has one task that did not exist before.
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    asked++;
    const page = Array.from({ length: 200 }, (_, n) => ({ id: 1_000_000 - asked - n, created }));
    return Response.json(page);
  });
  try {
    const source = restSource(`http://127.0.0.1:${server.addr.port}`, "token");
    const { tasks, cut } = await source.tasks(1, 2, Infinity);
    assert.deepEqual([asked, tasks.length, cut], [2_000, 2_199, true]);
  } finally {
    await server.shutdown();
  }
});

Deno.test("a source that has ever more tasks comes to an end, which is reported", async () => {
  const created = "2024-05-01T08:00:00Z";
  const source = {
    tasks: (_: number, __: number, count: number) => {
      assert.ok(Number.isFinite(count), "nobody asks for all");
      const tasks = Array.from({ length: count }, (_, n) => ({ id: n + 1, created }));
      return Promise.resolve({ tasks, cut: false });
    },
  } as unknown as Source;
  const project = {
    project: { id: 1 },
    templates: [{ id: 1, name: "Deploy" }, { id: 2, name: "Build" }],
  } as unknown as SourceProject;
  const { tasks, leftOut } = await planHistory(
    source,
    project,
    Infinity,
    (count) => Promise.resolve(Array.from({ length: count }, (_, n) => n + 1)),
  );
  assert.equal(tasks.length, 200_000);
  assert.deepEqual(leftOut.map(({ reason }) => String(reason).replace(/: .*/, "")), [
    'of "Deploy", the oldest',
    'of "Build", the oldest',
  ]);
});

Deno.test("lists that are longer than a project can hold are refused with a sentence", async () => {
  const items = Array.from({ length: 10_001 }, (_, id) => ({ id, name: "x" }));
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.json(items),
  );
  try {
    const source = restSource(`http://127.0.0.1:${server.addr.port}`, "token");
    await assert.rejects(source.projects(), /lists 10001 items. At most 10000 can be imported/);
  } finally {
    await server.shutdown();
  }
});

Deno.test("a server that lists only its latest tasks is asked a limited number of times, and named", async () => {
  const tasks = Array.from({ length: 1000 }, (_, n) => ({
    id: n + 1,
    created: "2024-05-01T08:00:00Z",
  }));
  const asked: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const { pathname, search } = new URL(url);
    asked.push(pathname + search);
    return Response.json(pathname.endsWith("/last") ? tasks.slice(0, 200) : tasks);
  });
  try {
    const source = restSource(`http://127.0.0.1:${server.addr.port}`, "token");
    const all = await source.tasks(1, 2, Infinity);
    assert.deepEqual([all.tasks.length, all.cut, asked.length], [1000, true, 2]);
    const some = await source.tasks(1, 2, 700);
    assert.deepEqual([some.tasks.length, some.cut], [700, false]);
    asked.length = 0;
    const few = await source.tasks(1, 2, 30);
    assert.deepEqual([few.tasks.length, few.cut], [30, false]);
    assert.deepEqual(asked, ["/api/project/1/templates/2/tasks/last?limit=30&count=30"]);
  } finally {
    await server.shutdown();
  }
});
