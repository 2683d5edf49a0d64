import assert from "node:assert/strict";
import { reasonOfEnd } from "./reason.ts";

const NONE = { subject: "", step: "", more: 0, place: null, line: null };

Deno.test("the reason for an end names the host, the Ansible task and the message", () => {
  assert.equal(reasonOfEnd({ end_reason: null }), null);
  const params = { host: "web1", task: "Copy", message: "No space", count: 2 };
  const end_reason = { key: "errors.run.first_failure", params };
  assert.deepEqual(reasonOfEnd({ end_reason, failure_line: 7 }), {
    ...NONE,
    ...{ subject: "web1", step: "Copy", message: "No space", more: 2, line: 7 },
  });
});

Deno.test("the reason for an error of Ansible names its file, line and column", () => {
  const params = { file: "site.yml", line: 3, column: 11, message: "no role" };
  const end_reason = { key: "errors.run.ansible_error_at", params };
  assert.deepEqual(reasonOfEnd({ end_reason, failure_line: 4 }), {
    ...NONE,
    ...{ message: "no role", place: { file: "site.yml", line: 3, column: 11 }, line: 4 },
  });
});

Deno.test("the reason for an unreadable inventory names its file, and its line if Ansible does", () => {
  const params = { at: "hosts", file: "hosts", line: 0, column: 0, message: "no value" };
  const end_reason = { key: "errors.run.inventory_error", params };
  const reason = { ...NONE, message: "no value" };
  assert.deepEqual(reasonOfEnd({ end_reason }), { ...reason, subject: "hosts" });
  const lined = { ...end_reason, params: { ...params, line: 2 } };
  const place = { file: "hosts", line: 2, column: null };
  assert.deepEqual(reasonOfEnd({ end_reason: lined }), { ...reason, place });
});

Deno.test("any other reason is its sentence", () => {
  const end_reason = { key: "errors.run.shutdown" };
  assert.deepEqual(reasonOfEnd({ end_reason }), { ...NONE, message: end_reason });
});
