import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { createOutline, type LogSection } from "./outline.ts";

const PLAY = [
  "",
  "PLAY [all] *********************************************************************",
  "",
  "TASK [Gathering Facts] *********************************************************",
  "\x1b[0;32mok: [web1]\x1b[0m",
  "\x1b[0;31mfatal: [web2]: UNREACHABLE! => {}\x1b[0m",
  "TASK [Install [nginx]] **",
  '\x1b[0;31mfailed: [web1] (item=a) => {"msg": "no"}\x1b[0m',
  '\x1b[0;31mfailed: [web1] (item=b) => {"msg": "no"}\x1b[0m',
  '\x1b[0;31mfatal: [web1]: FAILED! => {"changed": false}\x1b[0m',
  "\x1b[0;36m...ignoring\x1b[0m",
  "  TASK [in a message] *",
  "RUNNING HANDLER [restart] ****",
  "changed: [web1]",
  "PLAY RECAP *********************************************************************",
];

/** Returns the outline of some lines, as it is stored. */
function outlineOf(lines: string[]) {
  const outline = createOutline({ play_tasks: 0, sections: 0, first_failure: 0 }, []);
  const pages: LogSection[][] = [];
  for (const [n, line] of lines.entries()) {
    outline.add(n + 1, line);
    for (const [page, sections] of outline.changed()) pages[page] = structuredClone(sections);
  }
  return { sections: pages.flat(), head: outline.head() };
}

Deno.test("an outline has plays and their tasks, and the failures that were not ignored", () => {
  const { sections, head } = outlineOf(PLAY);
  assert.deepEqual(sections, [
    { line: 2, title: "PLAY [all]", depth: 0, failed: 0 },
    { line: 4, title: "TASK [Gathering Facts]", depth: 1, failed: 1 },
    { line: 7, title: "TASK [Install [nginx]]", depth: 1, failed: 0 },
    { line: 13, title: "RUNNING HANDLER [restart]", depth: 1, failed: 0 },
    { line: 15, title: "PLAY RECAP", depth: 0, failed: 0 },
  ]);
  assert.deepEqual(head, { play_tasks: 3, sections: 5, first_failure: 6 });
});

Deno.test("an ignored failure is not the first failure, but the next one may be", () => {
  const { head, sections } = outlineOf([...PLAY.slice(6), "TASK [x] *", "fatal: [web3]: FAILED!"]);
  assert.equal(head.first_failure, 11);
  assert.equal(sections.at(-1)!.failed, 1);
  const of = (...lines: string[]) => outlineOf(lines).head.first_failure;
  assert.equal(of("fatal: [a]: x", "...ignoring"), 0);
  assert.equal(of("fatal: [a]: x", "fatal: [b]: x", "...ignoring"), 1, "only b's is ignored");
  assert.equal(of("...ignoring", "ERROR! no such playbook"), 2);
  assert.equal(of("[ERROR]: Task failed: Module failed: no", "fatal: [a]: x", "...ignoring"), 0);
  assert.equal(of("[ERROR]: couldn't resolve module/action"), 1);
});

Deno.test("an outline that another writer continues is the same", () => {
  const line = fc.constantFrom(...PLAY.filter((line) => !line.includes("ignoring")));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 300 }), fc.nat(300), (lines, cut) => {
      const whole = outlineOf(lines);
      const before = outlineOf(lines.slice(0, cut));
      const pages: LogSection[][] = [];
      for (let n = 0; n < before.sections.length; n += 50) {
        pages.push(before.sections.slice(n, n + 50));
      }
      const next = createOutline(before.head, pages.at(-1) ?? []);
      lines.slice(cut).forEach((line, n) => next.add(Math.min(cut, lines.length) + n + 1, line));
      for (const [page, sections] of next.changed()) pages[page] = sections;
      assert.deepEqual(pages.flat(), whole.sections);
      assert.deepEqual(next.head(), whole.head);
    }),
    { numRuns: 100 },
  );
});

Deno.test("the length of an outline and of its titles is limited", () => {
  const { sections, head } = outlineOf(
    Array.from({ length: 10_100 }, (_, n) => `TASK [${n} ${"x".repeat(300)}] ***`),
  );
  assert.equal(sections.length, 10_000);
  assert.equal(head.play_tasks, 10_100);
  assert.ok(sections.every(({ title }) => title.length <= 160));
});
