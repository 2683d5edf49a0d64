import assert from "node:assert/strict";
import { differencesOf } from "./differences.ts";

const changesOf = (before: object | null, after: object | null) =>
  differencesOf(before, after).changes;

Deno.test("only fields that differ are kept, and empty values equal missing ones", () => {
  const before = { id: 1, project_id: 1, name: "a", env: null, labels: [], on: false, n: 0 };
  const after = { id: 1, project_id: 1, name: "b", env: "", on: undefined, n: 1 };
  assert.deepEqual(changesOf(before, after), { name: ["a", "b"], n: [0, 1] });
  assert.deepEqual(changesOf({ on: true }, { on: false }), { on: [true, false] });
  assert.deepEqual(changesOf(null, { name: "a", on: false }), { name: [null, "a"] });
  assert.deepEqual(changesOf({ name: "a" }, null), { name: ["a", null] });
});

Deno.test("members of objects and named items of lists have names of their own", () => {
  const step = (name: string, minutes: number) => ({ id: 1, name, wait: { minutes } });
  assert.deepEqual(
    changesOf({ steps: [step("a", 1), step("b", 2)] }, { steps: [step("b", 3), step("a", 1)] }),
    { "steps": [["a", "b"], ["b", "a"]], "steps.b.wait.minutes": [2, 3] },
  );
  assert.deepEqual(
    changesOf({ vaults: [{ vault_key_id: 1 }] }, { vaults: [{ vault_key_id: 2 }] }),
    { "vaults.1.vault_key_id": [1, 2] },
  );
});

Deno.test("sealed values, and values that are secret by their name, are never kept", () => {
  const [old, now] = [new Uint8Array([1]), new Uint8Array([2])];
  assert.deepEqual(changesOf({ secret: old }, { secret: now }), { secret: "changed" });
  assert.deepEqual(changesOf({ secret: old }, { secret: Uint8Array.from(old) }), {});
  assert.deepEqual(changesOf({ password: "a" }, { password: "b" }), { password: "changed" });
  assert.deepEqual(
    changesOf({ secrets: [{ name: "token", sealed: old }] }, { secrets: [] }),
    { "secrets": [["token"], null], "secrets.token.secret": "changed" },
  );
});

Deno.test("a long text is cut around its first difference", () => {
  const same = "x".repeat(5_000);
  const { text } = changesOf({ text: `${same}old${same}` }, { text: `${same}new${same}` });
  const [old, now] = text as [string, string];
  assert.ok(old.length <= 502 && now.length <= 502);
  assert.match(old, /^…x{60}oldx+…$/);
  assert.match(now, /^…x{60}newx+…$/);
});

Deno.test("an event stays small, whatever changes", () => {
  const fields = (letter: string) =>
    Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`f${n}`, letter.repeat(3_000)]));
  const { changes, left } = differencesOf(fields("ä"), fields("ö"));
  assert.equal(Object.keys(changes).length, 50);
  assert.equal(left, 30);
  assert.ok(JSON.stringify(changes).length < 25_000, String(JSON.stringify(changes).length));
});
