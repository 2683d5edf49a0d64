import assert from "node:assert/strict";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/** The room of processes: each has a supervisor, unless it is a shell script of the server. */
const STARTS_PROCESSES = /^lib\/execution\/process\//;

/** Rooms at the edge, whose texts people read. All others pass on a key and its parameters. */
const MAKES_SENTENCES = /^lib\/(web|alerts|output)\//;

/** Files that wait for a bell themselves. Others follow live data, or are woken loops. */
const WAITS_FOR_BELLS = [
  "lib/access/follow.ts",
  "lib/alerts/own_notices.ts",
  "lib/base/merge.ts",
  "lib/store/loop.ts",
  "lib/store/watch.ts",
  // For a process, and for the ends of tasks.
  "lib/execution/ssh/agent.ts",
  "lib/maintenance/projects/deletion.ts",
  // For a change of what a runner's poll answers.
  "lib/queue/remote/polls.ts",
  // For what a run prints.
  "lib/runner/program/pace.ts",
];

/** Files that start a program outside of the isolation of runs, which runs nothing of a project. */
const OUTSIDE_OF_ISOLATION = [
  // podman itself, whose containers are the isolation.
  "lib/execution/ansible/container.ts",
  // ssh, which is asked to end connections that a killed server has left.
  "lib/execution/recover.ts",
  // The program that reads secrets.
  "lib/execution/sources/command.ts",
];

/** Statuses that a step may name. All other steps are ends, which have a place of their own. */
const OPEN_STATUS = /"(waiting_confirmation|confirmed|starting|running|stopping)"/;

const readProduct = async (): Promise<Sources> =>
  new Map(
    [...await readSources(/^(lib|routes|components|islands)\/|^main\.ts$/)]
      .filter(([file]) => !/_test\.tsx?$|^lib\/fresh\//.test(file)),
  );

/** Returns the files that choose a language. */
const sentenceMakers = (sources: Sources): string[] =>
  [...sources].filter(([file, text]) =>
    readModule(file, text).imports.some(({ to, isType }) =>
      to === "lib/i18n/translate.ts" && !isType
    )
  ).map(([file]) => file);

const processStarters = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => /\bDeno\.Command\b/.test(text)).map(([file]) => file);

/** Returns the files that use a name of another file. */
const usersOf = (name: string, file: string, sources: Sources): string[] =>
  [...sources].filter(([path, text]) =>
    readModule(path, text).imports.some(({ to, names }) => to === file && names.includes(name))
  ).map(([path]) => path).toSorted();

/** Returns the files that end tasks: their steps name no open status. */
const taskEnders = (sources: Sources): string[] =>
  [...sources].filter(([file, text]) =>
    file !== "lib/tasks/steps.ts" && text.includes("tasks/steps.ts") &&
    [...text.matchAll(/\b(?:advance|addStep)\([^{]*(?:\{[^{]*to: [^,]*)?/g)].some(([step]) =>
      !OPEN_STATUS.test(step)
    )
  ).map(([file]) => file);

/** Returns the files that find a project, an account or a task by its key alone. */
const rowFinders = (sources: Sources): string[] =>
  [...sources].filter(([, text]) =>
    /\.get(<[^;]*?>)?\(\s*rowKeys\.(project|user|task)\(/.test(text) ||
    /\.get(<[^;]*?>)?\(\s*rowKeys\.resource\("templates"/.test(text)
  ).map(([file]) => file);

/** Returns the files that decide whether someone else was faster. */
const overtakenDeciders = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => /\bstatus [!=]== 409|[!=]== "errors\.stale"/.test(text))
    .map(([file]) => file);

const outside = (rooms: RegExp, files: string[]) => files.filter((file) => !rooms.test(file));

Deno.test("processes are started in one room", async () => {
  assert.deepEqual(outside(STARTS_PROCESSES, processStarters(await readProduct())), []);
});

Deno.test("commands of all stages of a run are isolated, whatever they read from a repository", async () => {
  const users = usersOf("noSandbox", "lib/execution/process/isolation.ts", await readProduct());
  assert.deepEqual(users, OUTSIDE_OF_ISOLATION);
});

Deno.test("sentences are created at the edge", async () => {
  assert.deepEqual(outside(MAKES_SENTENCES, sentenceMakers(await readProduct())), []);
});

Deno.test("live data is followed, and loops are woken, in one place each", async () => {
  const product = await readProduct();
  const waiting = usersOf("createBell", "lib/base/bell.ts", product);
  assert.deepEqual(waiting, WAITS_FOR_BELLS.toSorted());
  const wakers = [...product].filter(([, text]) => /\bonChange\b[^;]*\.(wake|ring)\b/.test(text));
  assert.deepEqual(wakers.map(([file]) => file), ["lib/store/loop.ts"]);
});

Deno.test("tasks are ended in one place", async () => {
  assert.deepEqual(taskEnders(await readProduct()), ["lib/queue/ending/end_task.ts"]);
});

Deno.test("whether someone else was faster is decided in one place", async () => {
  assert.deepEqual(overtakenDeciders(await readProduct()), ["lib/store/transact.ts"]);
});

Deno.test("rows that many rooms read are found in one place", async () => {
  const places = /^lib\/(model\/|store\/guard_project\.ts$)/;
  assert.deepEqual(outside(places, rowFinders(await readProduct())), []);
});

Deno.test("conflicts, refusals and drafts of forms are handled in one place", async () => {
  const product = await readProduct();
  const places: [name: string, file: string][] = [
    ["withChoices", "lib/web/forms/conflict.ts"],
    ["refusedForm", "lib/web/forms/conflict.ts"],
    ["restoredForm", "lib/web/pages/form_draft.ts"],
  ];
  for (const [name, file] of places) {
    assert.deepEqual(usersOf(name, file, product), ["lib/web/pages/form_page.ts"], name);
  }
});

Deno.test("another place is found, however it asks", () => {
  const steps = 'import { addStep, advance } from "../tasks/steps.ts";\n';
  const ends = (text: string) => taskEnders(new Map([["lib/a.ts", steps + text]])).length;
  assert.equal(ends('await advance(deps.kv, task, "success", {}, {});'), 1);
  assert.equal(ends("await addStep(kv, op, task, () => ({\n  to: how,\n  change }));"), 1);
  assert.equal(ends('await advance(deps.kv, task, "running", {}, {});'), 0);
  assert.equal(ends('await addStep(kv, op, task, () => ({\n  to: "starting",\n  change }));'), 0);
  const starts = (text: string) => processStarters(new Map([["lib/a.ts", text]])).length;
  const finds = (text: string) => rowFinders(new Map([["lib/a.ts", text]])).length;
  assert.equal(finds("await kv.get<{ name: string }>(\n    rowKeys.project(id),\n  );"), 1);
  assert.equal(finds('await kv.get<Row>(rowKeys.resource("templates", 1, 2));'), 1);
  assert.equal(finds("await kv.get<Row>(rowKeys.projectHost(1, name));"), 0);
  assert.deepEqual([starts("new Deno.Command(path)"), starts("new Deno.CommandX(path)")], [1, 0]);
});
