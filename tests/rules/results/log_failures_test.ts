import assert from "node:assert/strict";
import { newWorld } from "@/tests/support/world/world.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";

type ReportedTask = Awaited<ReturnType<typeof reportedTask>>;

/** Output of ansible-core 2.19 for a failure that is ignored, and for one that is rescued. */
const OUTPUT = [
  "PLAY [all] ***",
  "TASK [ignored] ***",
  "[ERROR]: Task failed: Module failed: no",
  "fatal: [a]: FAILED! => {}",
  "...ignoring",
  "TASK [rescued] ***",
  "[ERROR]: Task failed: Module failed: no",
  "fatal: [a]: FAILED! => {}",
  "TASK [last] ***",
];

async function print(told: ReportedTask, ...lines: string[]) {
  for (const line of lines) await told.output.write(line);
  await told.output.flush();
}

/** Reports the events of the output above, as the callback does. */
async function tellResults(told: ReportedTask) {
  await print(told, ...OUTPUT);
  await told.report(
    play("all"),
    task("1", undefined, 2),
    result("1", "a", { status: "ignored", lines: { from: 3, to: 5 } }),
    task("2", undefined, 6),
    result("2", "a", { status: "rescued", lines: { from: 7, to: 8 } }),
    task("3", undefined, 9),
  );
  await told.flush();
}

Deno.test("ignored and rescued failures are not failures of an output", async () => {
  await using world = await newWorld();
  const told = await reportedTask(world);
  const sections = async () => (await world.api("carol", "GET", `${told.path}/sections`)).body;
  const failed = async () =>
    (await sections()).sections.map((section: { failed: number }) => section.failed);
  await tellResults(told);
  assert.deepEqual(await failed(), [0, 0, 0, 0]);
  assert.equal((await sections()).first_failure, null);

  await print(told, "[WARNING]: take care", "fatal: [a]: FAILED! => {}", "PLAY RECAP ***");
  await told.report(result("3", "a", { status: "failed", lines: { from: 10, to: 11 } }));
  await told.flush();
  assert.deepEqual(await failed(), [0, 0, 0, 1, 0]);
  assert.equal((await sections()).first_failure, 11, "not where a warning stands before it");
  const some = await world.api("carol", "GET", `${told.path}/sections?skip=1&limit=2`);
  assert.deepEqual(some.body.sections.map(({ failed }: { failed: number }) => failed), [0, 0]);
  await told.end("error");
  const html = await (await world.get("carol", told.path.replace("/api", ""))).text();
  assert.match(html, /\?line=11#L11">First failure/);
  assert.equal(html.match(/1 failure/g)?.length, 1);
});

Deno.test("a failure that was stored without its lines is that of its Ansible task", async () => {
  await using world = await newWorld();
  const told = await reportedTask(world);
  await print(
    told,
    ...["PLAY [all] ***", "TASK [ignored] ***", "fatal: [a]: FAILED! => {}", "...ignoring"],
    ...["TASK [failing] ***", "[ERROR]: Task failed: undefined", ...Array(25).fill("cause")],
    ...["fatal: [a]: FAILED! => {}", "PLAY RECAP ***"],
  );
  await told.report(
    play("all"),
    task("1", undefined, 2),
    result("1", "a", { status: "ignored", lines: { from: 3, to: 4 } }),
    task("2", undefined, 5),
    result("2", "a", { status: "failed", lines: null }),
    { type: "end", at: 0, lost: 0 },
  );
  await told.end("error");
  const { body } = await world.api("carol", "GET", `${told.path}/sections`);
  assert.equal(body.first_failure, 32);
  assert.deepEqual(body.sections.map(({ failed }: { failed: number }) => failed), [0, 0, 1, 0]);
});

Deno.test("the page of a success shows no failure", async () => {
  await using world = await newWorld();
  const told = await reportedTask(world);
  await tellResults(told);
  await told.report({ type: "end", at: 0, lost: 0 });
  await told.end();
  const html = await (await world.get("carol", told.path.replace("/api", ""))).text();
  assert.doesNotMatch(html, /First failure|\d failures?\b/);
});

Deno.test("a play that cannot continue says so in its output alone", async () => {
  await using world = await newWorld();
  const told = await reportedTask(world);
  await print(told, "PLAY [all] ***", "TASK [one] ***", "ok: [a]", "PLAY [b] ***", "ERROR! no");
  await told.report(play("all"), task("1", undefined, 2));
  await told.report(result("1", "a", { lines: { from: 3, to: 3 } }));
  await told.end("error");
  const { body } = await world.api("carol", "GET", `${told.path}/sections`);
  assert.equal(body.first_failure, 5);
  assert.deepEqual(body.sections.map(({ failed }: { failed: number }) => failed), [0, 0, 1]);
});
