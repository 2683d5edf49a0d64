import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { askAnsible } from "@/tests/support/programs/ansible_python.ts";
import { limitProblem } from "@/lib/execution/ansible/results/fields.ts";

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
    "a,",
    "!db",
    "&eu:!db",
    "!2001:db8::1",
    "![ab]*",
    "web[!0-3]",
    "~web(1|)",
    "~[[]x",
    "web[0:1] db",
  ];
  for (const text of limits) assert.equal(limitProblem(text), null, text);
});

/** Python that returns the hosts of each limit as Ansible itself does; null for its own failure. */
const HOSTS = `
import json, os, sys
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a warning for each pattern without hosts
manager = InventoryManager(loader=DataLoader(), sources="b,c,d,")
def hosts(text):
    try:
        manager.subset(text)
        return [host.name for host in manager.get_hosts()]
    except Exception as error:
        return None if isinstance(error, IndexError) else []
print(json.dumps([hosts(text) for text in json.load(sys.stdin)]))
`;

const signs = fc.array(fc.constantFrom(..."!&,:~[] b1|()^$".split(""), "!", ",", ":", "~", "["), {
  minLength: 1,
  maxLength: 7,
}).map((parts) => parts.join(""));

Deno.test("no limit that is taken means all hosts because it names none", async () => {
  const texts = fc.sample(signs, { numRuns: 20_000, seed: 1 }).filter((text) => !text.includes("b"))
    .filter((text) => !/!.*1/.test(text)); // excludes a host that does not exist
  const hosts = await askAnsible<(string[] | null)[]>(HOSTS, texts);
  const wide = texts.filter((_, n) => hosts[n] === null || hosts[n].length === 3);
  assert.ok(wide.length > 1000);
  assert.deepEqual(wide.filter((text) => limitProblem(text) === null), []);
});

Deno.test("limits without a pattern are refused", () => {
  const limits = [
    ..."~ [ ] ! & , : ,, :: a,! all:& !,a !! !&a ~| ~() ~a| &~ !~ web[0 a,[ !a:!b,c".split(" "),
    " ",
    "! a",
    "! a,! b",
    "web: ~",
  ];
  for (const text of limits) assert.equal(limitProblem(text), "errors.limit_pattern", text);
});
