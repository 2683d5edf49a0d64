import assert from "node:assert/strict";
import { checkedHost, isApplied, isCertainCheck } from "./state.ts";

const recap = {
  ok: 5,
  changed: 0,
  unreachable: 0,
  failed: 0,
  skipped: 0,
  rescued: 0,
  ignored: 0,
};
const whole = { complete: true, lost: 0, check_mode: [] };

Deno.test("a host on which everything was checked without a change is as described", () => {
  const host = checkedHost(recap, true);
  assert.deepEqual(host, { state: "as_described", changes: 0, partial: false });
});

Deno.test("a host differs if the real execution would change it", () => {
  const host = checkedHost({ ...recap, changed: 3, carried_out: 1 }, true);
  assert.deepEqual(host, { state: "would_change", changes: 2, partial: false });
  const done = checkedHost({ ...recap, changed: 1, carried_out: 1 }, true);
  assert.equal(done.state, "as_described");
});

Deno.test("a host is unknown if an Ansible task failed, or if the results are not certain", () => {
  for (const name of ["failed", "rescued", "ignored"]) {
    assert.equal(checkedHost({ ...recap, [name]: 1 }, true).state, "unknown", name);
  }
  assert.equal(checkedHost(recap, false).state, "unknown");
});

Deno.test("a host has the state of what was checked, whatever has no check mode", () => {
  const some = { ...recap, unchecked: 1 };
  assert.deepEqual(checkedHost(some, true), { state: "as_described", changes: 0, partial: true });
  assert.equal(checkedHost(some, true, false).state, "unknown");
  assert.equal(checkedHost(some, false).state, "unknown");
});

Deno.test("a known difference wins over what could not be checked, and says so", () => {
  for (const name of ["failed", "rescued", "ignored", "unchecked", "unreachable"]) {
    const host = checkedHost({ ...recap, changed: 1, [name]: 1 }, true);
    assert.deepEqual(host, { state: "would_change", changes: 1, partial: true }, name);
  }
  assert.equal(checkedHost({ ...recap, changed: 1 }, false).partial, true);
});

Deno.test("an unreachable host is not reached", () => {
  assert.equal(checkedHost({ ...recap, unreachable: 1 }, true).state, "not_reached");
});

Deno.test("results that are lost, or depend on check mode, say nothing for certain", () => {
  assert.equal(isCertainCheck(whole), true);
  assert.equal(isCertainCheck({ ...whole, complete: false }), false);
  assert.equal(isCertainCheck({ ...whole, lost: 1 }), false);
  assert.equal(isCertainCheck({ ...whole, ended_early: true }), false);
  assert.equal(isCertainCheck({ ...whole, check_mode: ["site.yml:3"] }), false);
  assert.equal(isCertainCheck({ complete: true, lost: 0 }), false);
});

Deno.test("a run has applied the description only where nothing failed", () => {
  assert.equal(isApplied({ ...recap, changed: 2 }, whole), true);
  for (const name of ["failed", "rescued", "ignored", "unreachable"]) {
    assert.equal(isApplied({ ...recap, [name]: 1 }, whole), false, name);
  }
  assert.equal(isApplied(recap, { ...whole, complete: false }), false);
});
