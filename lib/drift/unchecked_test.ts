import assert from "node:assert/strict";
import type { DriftRow, UncheckedRow } from "../model/drift_row.ts";
import { reasonOfState } from "./unchecked.ts";

const row = (more: Partial<DriftRow>) => ({ host: "web1", partial: true, ...more }) as DriftRow;
const disk: UncheckedRow = {
  why: "no_check_mode",
  play_task: "Check the disk",
  action: "command",
  file: "site.yml",
  file_line: 7,
  line: 12,
  message: "",
};

Deno.test("a host that was not wholly checked says which Ansible task, where and why", () => {
  assert.deepEqual(reasonOfState(row({ state: "as_described", unchecked: disk })), {
    subject: "web1",
    step: "Check the disk",
    message: { key: "drift.reasons.no_check_mode", params: { action: "command" } },
    more: 0,
    place: { file: "site.yml", line: 7, column: null },
    line: 12,
  });
  const failed = { ...disk, why: "failed", message: "No space" } as const;
  assert.equal(reasonOfState(row({ state: "unknown", unchecked: failed }))!.message, "No space");
  assert.equal(reasonOfState(row({ state: "as_described", partial: false })), null);
});

Deno.test("a host without such an Ansible task says why its state is not known", () => {
  const keyOf = (more: Partial<DriftRow>) =>
    (reasonOfState(row(more))!.message as { key: string }).key;
  assert.equal(keyOf({ state: "unknown" }), "drift.reasons.incomplete");
  assert.equal(keyOf({ state: "not_reached" }), "drift.reasons.incomplete");
  assert.equal(keyOf({ state: "not_reached", partial: false }), "drift.reasons.gone");
});
