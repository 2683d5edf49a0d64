import assert from "node:assert/strict";
import { Cron } from "croner";
import english from "@/locales/en.json" with { type: "json" };
import { workersOf } from "@/lib/web/server/background.ts";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Calls that start a background loop or watch a turn of one. Their next text is its name. */
const STARTS =
  /\b(?:startDueLoop\(\s*\w+,\s*|watchPass\(\s*\w+,\s*|startLoop\([^;]*?\bname: )(["`])(.*?)\1/g;

/** Returns the names of loops. Those of the audit log end with the name of a receiver. */
function loopNames(sources: Sources): string[] {
  const names = [...sources].filter(([file]) => !/_test\.ts$/.test(file))
    .flatMap(([, text]) => [...text.matchAll(STARTS)].map(([, , name]) => name));
  return [...new Set(names.map((name) => name.replace(/^audit_.*/, "audit")))].toSorted();
}

Deno.test("each background loop has a name in plain words, for Health", async () => {
  const names = loopNames(await readSources(/^lib\/|^main\.ts$/));
  assert.deepEqual(names, Object.keys(english.health.loop).toSorted());
});

const NO_FOLLOW_UP = { bucket: null, command: null, testCron: null };

Deno.test("each kind of job has a name in plain words, for Background work", () => {
  const key = new Uint8Array(32);
  const workers = workersOf({
    secretKeys: { current: key, previous: key, next: null },
    backups: { cron: new Cron("0 3 * * *"), folder: "", keep: 1, passphrase: "", ...NO_FOLLOW_UP },
  });
  const names = workers.map(({ kind }) => kind.name).toSorted();
  assert.deepEqual(names, Object.keys(english.jobs.kind).toSorted());
  assert.equal(new Set(names).size, names.length);
});

Deno.test("the name of a loop is found, however it is started", () => {
  const texts = [
    'startDueLoop(deps, "a", rowKeys.wake(), due)',
    'startLoop({ kv, log }, {\n  name: "b",\n})',
    "startLoop(deps, {\n  name: `audit_${receiver.name}`,\n})",
    'watchPass(kv, "d", work)',
  ];
  const sources = new Map([["lib/a.ts", texts.join(";\n")]]);
  assert.deepEqual(loopNames(sources), ["a", "audit", "b", "d"]);
});
