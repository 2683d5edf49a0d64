import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { askAnsible } from "../../../tests/support/ansible_python.ts";
import { limitProblem } from "./fields.ts";

/** Python that splits each text into patterns as Ansible itself does. */
const SPLIT = `
import json, sys
from ansible.inventory.manager import split_host_pattern
print(json.dumps([split_host_pattern(text) for text in json.load(sys.stdin)]))
`;

const limits = fc.array(
  fc.constantFrom(..."@@@,: []!&a1-./~*\u00a0\u2028\u3000", "::1", "[1:2]", "/etc/x"),
  { minLength: 1, maxLength: 9 },
).map((parts) => parts.join(""));

Deno.test("no limit that is taken makes Ansible read a file", async () => {
  const texts = fc.sample(limits, { numRuns: 20_000, seed: 1 });
  const patterns = await askAnsible<string[][]>(SPLIT, texts);
  const reading = texts.filter((_, n) => patterns[n].some((pattern) => pattern.startsWith("@")));
  assert.ok(reading.length > 1000);
  assert.deepEqual(reading.filter((text) => limitProblem(text) === null), []);
});

Deno.test("limits that name hosts are taken", () => {
  const limits = [
    "web1",
    "web1,db*:!db3:&eu",
    "web[1:3].example.com",
    "2001:db8::1",
    "[2001:db8::1]:22",
    "~(web|db)\\d+",
    "root@web1",
    "all[0]",
    "münchen",
  ];
  for (const text of limits) assert.equal(limitProblem(text), null, text);
});
