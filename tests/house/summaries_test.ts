import assert from "node:assert/strict";
import { allOperations } from "@/lib/web/api/operations.ts";

const LENGTH_MAX = 80;

/** The verbs that open summaries. Add one only if none of these says it. */
const VERBS = new Set([
  "Accept",
  "Add",
  "Approve",
  "Call",
  "Check",
  "Create",
  "Delete",
  "Download",
  "Enable",
  "End",
  "Finish",
  "Follow",
  "Get",
  "Leave",
  "List",
  "Register",
  "Reject",
  "Remove",
  "Replace",
  "Revoke",
  "Search",
  "Send",
  "Set",
  "Sign",
  "Start",
  "Stop",
  "Update",
  "Validate",
]);

Deno.test("summaries of the API are short and open with a verb", () => {
  const wrong = allOperations.filter(({ summary }) =>
    !VERBS.has(summary.split(" ")[0]) || /[.:;!?]/.test(summary) || summary.length > LENGTH_MAX
  );
  assert.deepEqual(wrong.map(({ id, summary }) => `${id}: ${summary}`), []);
});

Deno.test("details of operations are whole sentences", () => {
  const wrong = allOperations.filter(({ details }) =>
    details !== undefined && !/^[A-Z`].*\.$/.test(details)
  );
  assert.deepEqual(wrong.map(({ id, details }) => `${id}: ${details}`), []);
});
