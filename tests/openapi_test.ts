import assert from "node:assert/strict";
import { successStatus } from "@/lib/access/operation.ts";
import { EXAMPLES } from "@/lib/web/api/openapi/examples.ts";
import { allOperations } from "@/routes/api/(_tables)/all.ts";
import { goodCall } from "./support/api_calls.ts";
import { newWorld } from "./support/world.ts";

/** Calls by other programs, which need more than a body. Their own tests make them. */
const OTHER_CALLERS = new Set([
  "endSessionsByProvider",
  "registerRunner",
  "rotateRunnerToken",
  "answerCheck",
  "registerSemaphoreRunner",
  "pollForSemaphoreJobs",
  "reportSemaphoreJobs",
  "unregisterSemaphoreRunner",
  "pollForRuns",
  "reportRun",
]);

Deno.test("operation ids are unique", () => {
  const ids = allOperations.map(({ id }) => id);
  assert.deepEqual(ids.filter((id, n) => ids.indexOf(id) !== n), []);
});

Deno.test("every body has an example, which its schema takes, and nothing else has one", () => {
  const withBody = allOperations.filter(({ body }) => body !== undefined);
  assert.deepEqual(Object.keys(EXAMPLES).toSorted(), withBody.map(({ id }) => id).toSorted());
  for (const { id, body } of withBody) {
    const issues = body!.safeParse(EXAMPLES[id]).error?.issues ?? [];
    // Its private key is an ellipsis.
    assert.deepEqual(issues.filter(({ path }) => path.at(-1) !== "private_key"), [], id);
  }
});

Deno.test("answers are as the document says, member by member", async () => {
  for (const operation of allOperations) {
    const { id, method, answer, contentType } = operation;
    if (OTHER_CALLERS.has(id)) continue;
    await using world = await newWorld();
    // Erin may do everything except leave a project of which she is not a member.
    const person = id === "leaveProject" ? "mike" : "erin";
    const { path, body } = await goodCall(operation, world, person);
    const answered = await world.api(person, method, path, body);
    assert.equal(answered.status, successStatus(operation), id);
    const type = answered.headers.get("content-type")?.split(";")[0] ?? null;
    if (!answer || contentType) {
      assert.equal(type, contentType ?? null, id);
      continue;
    }
    assert.equal(type, "application/json", id);
    assert.deepEqual(answer.parse(answered.body), answered.body, id);
  }
});

Deno.test("the document and the page that shows it are there for everybody", async () => {
  await using world = await newWorld();
  const { status, body } = await world.api(null, "GET", "/api/openapi.json");
  assert.equal(status, 200);
  assert.equal(body.openapi, "3.1.0");
  assert.equal(
    Object.values(body.paths).flatMap((path) => Object.keys(path as object)).length,
    allOperations.length,
  );
  const page = await (await world.get(null, "/api/docs")).text();
  for (const { id, summary } of allOperations) {
    assert.ok(page.includes(`id="${id}"`), `${id}: ${summary}`);
  }
});
