import assert from "node:assert/strict";
import { readModule, readSources, type Sources } from "../support/sources.ts";

/** The only files that read the text of a secret. All others pass secrets along. */
const READS_SECRETS = [
  "lib/base/secret.ts",
  // For a process, for a file of a run, and for the mask.
  "lib/execution/process/variables.ts",
  "lib/execution/process/task_directory.ts",
  "lib/execution/log/run_log.ts",
  // To take it apart. The results are secret again, or the path of a folder.
  "lib/execution/ansible/environment.ts",
  "lib/execution/git/address.ts",
  "lib/parts/keys/secret.ts",
  "lib/parts/repositories/sealed_url.ts",
  "lib/queue/plan_variables.ts",
  // For the provider that it belongs to.
  "lib/oidc/client.ts",
  "lib/ldap/connection.ts",
  "lib/people/sso/sign_out.ts",
  // To compare, to answer, and to adopt.
  "lib/people/factors/secret.ts",
  "lib/people/sso/attempts.ts",
  "lib/people/kept_forms/service.ts",
  "lib/people/throttling/known_devices.ts",
  "lib/triggers/webhooks/deliveries.ts",
  "lib/triggers/webhooks/run.ts",
  "lib/maintenance/semaphore/sqlite_project.ts",
];

/** With a supervisor, and for the server itself. */
const STARTS_PROCESSES = [
  "lib/execution/process/shell.ts",
  "lib/execution/process/spawn.ts",
];

/** Files whose output people read. All others pass on a key and its parameters. */
const MAKES_SENTENCES = [
  "components/shell/Preferences.tsx",
  "lib/web/pages/request_ui.ts",
  // Answers before there are pages.
  "lib/web/server/upgrade_answers.ts",
  "lib/alerts/message.ts",
  // Log entries, and the last line of a task's output.
  "lib/alerts/deliver.ts",
  "lib/queue/execute.ts",
  "lib/queue/interrupt.ts",
  // Output of scripts.
  "lib/maintenance/semaphore/history.ts",
];

/** Files that wait for a bell themselves. Others follow live data, or are woken loops. */
const WAITS_FOR_BELLS = [
  "lib/access/follow.ts",
  "lib/base/merge.ts",
  "lib/kv/loop.ts",
  "lib/kv/watch.ts",
  // For a process, and for the ends of tasks.
  "lib/execution/ssh/agent.ts",
  "lib/maintenance/projects/deletion.ts",
];

/** Statuses that a step may name. All other steps are ends, which have a place of their own. */
const OPEN_STATUS = /"(waiting_confirmation|confirmed|starting|running|stopping)"/;

const readProduct = async (): Promise<Sources> =>
  new Map(
    [...await readSources(/^(lib|routes|components|islands)\/|^main\.ts$/)]
      .filter(([file]) => !/_test\.tsx?$|^lib\/fresh\//.test(file)),
  );

/** Returns the files that take a secret's text out of it, and the file that allows it. */
const secretReaders = (sources: Sources): string[] =>
  [...sources].filter(([file, text]) => {
    const { imports, exports } = readModule(file, text);
    return exports.includes("reveal") || imports.some(({ names }) => names.includes("reveal"));
  }).map(([file]) => file).toSorted();

/** Returns the files that choose a language. */
const sentenceMakers = (sources: Sources): string[] =>
  [...sources].filter(([file, text]) =>
    readModule(file, text).imports.some(({ to, isType }) =>
      to === "lib/i18n/translate.ts" && !isType
    )
  ).map(([file]) => file).toSorted();

const processStarters = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => /\bDeno\.Command\b/.test(text)).map(([file]) => file)
    .toSorted();

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

/** Returns the files that decide whether someone else was faster. */
const overtakenDeciders = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => /\bstatus [!=]== 409|[!=]== "errors\.stale"/.test(text))
    .map(([file]) => file);

Deno.test("secrets are read only where they are handed on", async () => {
  assert.deepEqual(secretReaders(await readProduct()), READS_SECRETS.toSorted());
});

Deno.test("processes are started in two places", async () => {
  assert.deepEqual(processStarters(await readProduct()), STARTS_PROCESSES);
});

Deno.test("sentences are made at the edge", async () => {
  assert.deepEqual(sentenceMakers(await readProduct()), MAKES_SENTENCES.toSorted());
});

Deno.test("live data is followed, and loops are woken, in one place each", async () => {
  const product = await readProduct();
  const waiting = usersOf("createBell", "lib/base/bell.ts", product);
  assert.deepEqual(waiting, WAITS_FOR_BELLS.toSorted());
  const wakers = [...product].filter(([, text]) => /\bonChange\b[^;]*\.(wake|ring)\b/.test(text));
  assert.deepEqual(wakers.map(([file]) => file), ["lib/kv/loop.ts"]);
});

Deno.test("tasks are ended in one place", async () => {
  assert.deepEqual(taskEnders(await readProduct()), ["lib/queue/end_task.ts"]);
});

Deno.test("whether someone else was faster is decided in one place", async () => {
  assert.deepEqual(overtakenDeciders(await readProduct()), ["lib/kv/transact.ts"]);
});

Deno.test("another place is found, however it asks", () => {
  const found = (text: string) => secretReaders(new Map([["lib/a.ts", text]])).length;
  assert.equal(found('import { reveal } from "./base/secret.ts";'), 1);
  assert.equal(found('import { type Secret, reveal as open } from "@/lib/base/secret.ts";'), 1);
  assert.equal(found("export const reveal = (secret: Secret) => secret.text;"), 1);
  assert.equal(found('import { type Secret, secret } from "./base/secret.ts";'), 0);
  const steps = 'import { addStep, advance } from "../tasks/steps.ts";\n';
  const ends = (text: string) => taskEnders(new Map([["lib/a.ts", steps + text]])).length;
  assert.equal(ends('await advance(deps.kv, task, "success", {}, {});'), 1);
  assert.equal(ends("await addStep(kv, op, task, () => ({\n  to: how,\n  change }));"), 1);
  assert.equal(ends('await advance(deps.kv, task, "running", {}, {});'), 0);
  assert.equal(ends('await addStep(kv, op, task, () => ({\n  to: "starting",\n  change }));'), 0);
  const starts = (text: string) => processStarters(new Map([["lib/a.ts", text]])).length;
  assert.deepEqual([starts("new Deno.Command(path)"), starts("new Deno.CommandX(path)")], [1, 0]);
});
