import assert from "node:assert/strict";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Files with state of the whole process, which is the same for every server in it. */
const OF_PROCESS = [
  // Results of functions that always return the same.
  "lib/execution/ansible/requirements/read.ts",
  "lib/i18n/by_name.ts",
  "lib/i18n/cron_words.ts",
  "lib/i18n/error_keys.ts",
  "lib/i18n/formats.ts",
  "lib/i18n/locale.ts",
  "lib/i18n/translate.ts",
  "lib/runner/seal.ts",
  "lib/triggers/schedules/cron.ts",
  "lib/web/server/compressed_files.ts",
  // State of an object that callers share: a commit, a cached list, the leases of a machine.
  "lib/base/once_for.ts",
  "lib/events/outbox.ts",
  "lib/execution/sources/leases.ts",
  "lib/web/api/responding.ts",
  // Standard error, and connections to other servers.
  "lib/http/exchange.ts",
  "lib/base/log.ts",
];

const STATE =
  /^(export )?(let |const [a-z]\w*(: .+)? = new (Map|Set)(<.*>)?\(\)|const [a-z]\w*(: .+)? = \[\];)/m;
const HIDDEN = /\bnew Weak(Map|Set)\b/;

/** Returns the files of the server that remember something outside of a store's memory. */
const stateful = (sources: Sources): string[] =>
  [...sources].filter(([file, text]) =>
    !/^lib\/(client|fresh)\/|_test\.tsx?$/.test(file) && (STATE.test(text) || HIDDEN.test(text))
  ).map(([file]) => file).toSorted();

Deno.test("a server remembers everything in the memory of its store", async () => {
  const sources = await readSources(/^(lib|routes|components)\//);
  assert.deepEqual(stateful(sources), OF_PROCESS.toSorted());
  const names = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/\bmemoryPart\(\s*("[^"]+")/g)].map(([, name]) => name)
  );
  assert.ok(names.length > 15, `${names.length} parts`);
  assert.deepEqual(names.filter((name, n) => names.indexOf(name) !== n), [], "one name, one part");
});

Deno.test("state of a module is found, however it is written", () => {
  const isFound = (text: string) => stateful(new Map([["lib/tasks/a.ts", text]])).length === 1;
  for (
    const text of [
      "const a = new WeakMap<Store, number>();",
      "export function create() {\n  const a = new WeakSet<object>();\n}",
      "const a = new Map<string, Map<string, number>>();",
      "export const a: Map<string, number> = new Map();",
      "const waiting: (() => void)[] = [];",
      "let a: string | undefined;",
    ]
  ) assert.ok(isFound(text), text);
  for (
    const text of [
      'const A = new Map([["a", 1]]);',
      "export function create() {\n  const a = new Map<string, number>();\n}",
      'const part = memoryPart("a", () => new Map<string, number>());',
    ]
  ) assert.ok(!isFound(text), text);
});
