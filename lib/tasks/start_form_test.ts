import assert from "node:assert/strict";
import { parseStart, startTaskFields, type StartTaskForm } from "./start_form.ts";

Deno.test("values in `params` count where the task itself has none", () => {
  const params = { limit: ["db"], tags: ["a", "b"], debug: true, diff: false };
  const form = parseStart({ template_id: 1, limit: "web, db", diff: true, params });
  const { limit, tags, skip_tags, debug, dry_run, diff } = form;
  assert.deepEqual({ limit, tags, skip_tags }, {
    limit: ["web", "db"],
    tags: ["a", "b"],
    skip_tags: [],
  });
  assert.deepEqual({ debug, dry_run, diff }, { debug: true, dry_run: false, diff: true });
  assert.equal("params" in form, false);
});

Deno.test("arguments keep their text, and are split into words once", () => {
  const argumentsOf = (sent: string | string[]) =>
    parseStart({ template_id: 1, arguments: sent }).arguments;
  const words = ["-v", "--limit=web"];
  assert.deepEqual(argumentsOf('[ "-v","--limit=web" ]'), {
    text: '[ "-v","--limit=web" ]',
    words,
  });
  assert.deepEqual(argumentsOf(words), { text: '["-v","--limit=web"]', words });
  assert.deepEqual(argumentsOf("[]"), { text: "[]", words: [] });
  assert.equal(argumentsOf(" "), null);
});

Deno.test("only parsing creates a form", () => {
  // @ts-expect-error Fields alone are not a form, whose type says that it was parsed.
  const fields: StartTaskForm = startTaskFields.parse({ template_id: 1 });
  assert.ok(fields);
});
