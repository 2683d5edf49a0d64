import assert from "node:assert/strict";
import { matchedEvent, type Subject } from "./match.ts";

const RULE = {
  active: true,
  events: ["failed", "recovered"] as ("failed" | "recovered")[],
  template_ids: [] as number[],
  project_ids: [] as number[],
  view_ids: [] as number[],
  workflow_ids: [] as number[],
  hosts: [] as string[],
};
const SUBJECT: Subject = {
  events: ["failed"],
  project_id: 4,
  template_id: 7,
  view_id: 3,
  workflow_id: null,
  hosts: ["web1.example.com", "db2"],
};

Deno.test("a rule without filters is for everything with one of its events", () => {
  assert.equal(matchedEvent(RULE, SUBJECT), "failed");
  assert.equal(matchedEvent(RULE, { ...SUBJECT, events: ["succeeded"] }), null);
  assert.equal(matchedEvent(RULE, { ...SUBJECT, events: ["recovered", "succeeded"] }), "recovered");
  assert.equal(matchedEvent({ ...RULE, active: false }, SUBJECT), null);
});

Deno.test("one of the chosen templates, views or workflows must match", () => {
  assert.equal(matchedEvent({ ...RULE, template_ids: [8], view_ids: [3] }, SUBJECT), "failed");
  assert.equal(matchedEvent({ ...RULE, template_ids: [8], workflow_ids: [7] }, SUBJECT), null);
});

Deno.test("patterns of hosts narrow a rule", () => {
  const cases: Record<string, boolean> = {
    "db2": true,
    "web*": true,
    "*.example.com": true,
    "web*example*": true,
    "w*b1.*.com": true,
    "db": false,
    "db2*2": false,
    "*": true,
    "WEB1*": true,
  };
  for (const [pattern, isFor] of Object.entries(cases)) {
    const event = matchedEvent({ ...RULE, hosts: [pattern] }, SUBJECT);
    assert.equal(event, isFor ? "failed" : null, pattern);
  }
  assert.equal(matchedEvent({ ...RULE, hosts: ["*"] }, { ...SUBJECT, hosts: [] }), null);
});

Deno.test("projects narrow a rule of the server", () => {
  const rule = { ...RULE, project_ids: [4, 5] };
  assert.equal(matchedEvent(rule, SUBJECT), "failed");
  assert.equal(matchedEvent(rule, { ...SUBJECT, project_id: 6 }), null);
  assert.equal(matchedEvent(rule, { ...SUBJECT, project_id: null }), null);
});
