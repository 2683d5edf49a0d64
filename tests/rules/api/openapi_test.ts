import assert from "node:assert/strict";
import { successStatus } from "@/lib/access/operation.ts";
import type { Config } from "@/lib/base/settings/config.ts";
import { openApiText } from "@/lib/web/api/openapi/document.ts";
import { readDocument } from "@/lib/web/api/openapi/reading.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { EXAMPLES, goodCall } from "@/tests/support/world/api_calls.ts";
import { newWorld } from "@/tests/support/world/world.ts";

// deno-lint-ignore no-explicit-any -- parts of a document of JSON
type Json = Record<string, any>;

const document: Json = JSON.parse(
  openApiText({ version: "1.0.0", basePath: "" } as Config, allOperations),
);

/** Calls by other programs, which need more than a body. Their own tests make them. */
const OTHER_CALLERS = new Set([
  "endSessionsByProvider",
  "registerRunner",
  "rotateRunnerToken",
  "answerCheck",
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

/** Calls `visit` with each object in a part of the document. */
function walk(part: unknown, visit: (schema: Json, path: string) => void, path = ""): void {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) visit(part as Json, path);
  for (const [name, inner] of Object.entries(part)) walk(inner, visit, `${path}/${name}`);
}

Deno.test("generators of clients know all that the document says", () => {
  const strange: string[] = [];
  walk(document, (schema, path) => {
    if (path.endsWith("/example") || path.includes("/example/")) return;
    if (schema.items === false || "prefixItems" in schema) strange.push(`${path}: a tuple`);
    if (schema.type === "integer" && schema.format !== "int64") strange.push(`${path}: not int64`);
    if (schema.format && schema.pattern) strange.push(`${path}: a format with a pattern`);
    if (schema.anyOf?.length === 0) strange.push(`${path}: no variant`);
    if (schema.additionalProperties === false) strange.push(`${path}: refuses new members`);
    const types = [schema.type].flat().filter((type) => type !== "null");
    if (types.length > 1) strange.push(`${path}: several types`);
  });
  assert.deepEqual(strange, []);
});

Deno.test("lists of several kinds of values and null have items of any kind", () => {
  const { changes } = document.components.schemas.Event.properties;
  assert.deepEqual(changes.additionalProperties.anyOf, [
    { type: "string", enum: ["changed"] },
    { type: "array", items: {} },
  ]);
});

Deno.test("each object of the document is a component, whose name stays", async () => {
  const anonymous: string[] = [];
  walk(document, (schema, path) => {
    const isComponent = /^\/components\/schemas\/\w+$/.test(path);
    if (schema.type === "object" && schema.properties && !isComponent) anonymous.push(path);
  });
  assert.deepEqual(anonymous, []);
  const names = Object.keys(document.components.schemas);
  // Numbers tell two schemas apart that want one name. In Go, the others mean something else.
  assert.deepEqual(names.filter((name) => /\d|^New|Tests?$|^undefined$/.test(name)), []);
  const file = await Deno.readTextFile(new URL("openapi_names.txt", import.meta.url));
  const gone = file.trim().split("\n").filter((name) => !names.includes(name));
  assert.deepEqual(
    gone,
    [],
    "a generated client imports these names: see `meta({ name })` in schemas",
  );
});

Deno.test("dates are date-time, and what the call gets is named after its noun", () => {
  const { Task, Template, TemplateBody } = document.components.schemas;
  const nullableTime = { type: ["string", "null"], format: "date-time" };
  assert.deepEqual(Task.properties.created, { type: "string", format: "date-time" });
  assert.deepEqual(Task.properties.end, nullableTime);
  assert.deepEqual(Task.properties.id, { type: "integer", format: "int64" });
  const { post, get } = document.paths["/project/{project_id}/templates"];
  const jsonOf = ({ content }: Json) => (content as Json)["application/json"];
  assert.equal(jsonOf(post.requestBody).schema.$ref, "#/components/schemas/TemplateBody");
  assert.equal(jsonOf(get.responses[200]).schema.items.$ref, "#/components/schemas/Template");
  assert.ok(Template.properties.id && TemplateBody.properties.playbook);
});

Deno.test("the page has an example of each call, whose answer is as the call answers", () => {
  const { groups } = readDocument({ version: "1.0.0", basePath: "" } as Config, allOperations);
  const shown = new Map(groups.flatMap(({ operations }) => operations.map((one) => [one.id, one])));
  for (const { id, answer, contentType, body } of allOperations) {
    const { command, answerExample } = shown.get(id)!;
    assert.match(command, /^curl [^]*\$CALLBOARD\/api\/\S*$/, id);
    assert.equal(command.includes(" -d '"), body !== undefined, id);
    assert.equal(answerExample !== null, Boolean(answer && !contentType), id);
    if (answerExample === null) continue;
    const issues = answer!.safeParse(JSON.parse(answerExample)).error?.issues ?? [];
    assert.deepEqual(issues, [], id);
  }
});

Deno.test("the document and the page that shows it are there for everyone", async () => {
  await using world = await newWorld();
  const { status, body } = await world.api(null, "GET", "/api/openapi.json");
  assert.equal(status, 200);
  assert.equal(body.openapi, "3.1.0");
  assert.equal(
    Object.values(body.paths).flatMap((path) => Object.keys(path as object)).length,
    allOperations.length,
  );
  const page = await (await world.get(null, "/api/docs")).text();
  assert.ok(page.length < 1_000_000, `${page.length} characters`);
  assert.ok(page.includes("<code>not_found</code>"));
  for (const { id, summary } of allOperations) {
    assert.ok(page.includes(`id="${id}"`), `${id}: ${summary}`);
  }
});
