import assert from "node:assert/strict";
import { conceal } from "@/lib/base/secret.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import {
  newRealBench,
  type RunWithEvents,
  runWithEvents,
} from "@/tests/support/programs/real_ansible.ts";

const outputsOf = ({ events }: { events: RunEvent[] }) =>
  Object.fromEntries(
    events.flatMap((event) => event.type === "output" ? [[event.name, event.value]] : []),
  );

/** Lines of the output about outputs that are left out. */
const noticesOf = ({ log }: RunWithEvents) =>
  log.split("\n").filter((line) => /\b(is|are) left out|file of outputs/.test(line));

const HEAD = "- hosts: all\n  gather_facts: false\n  tasks:\n";
const PLAN = { keepsOutputs: true };

const PLAY = `${HEAD}
    - set_stats:
        data:
          version: "1.2"
          count: 3
          flag: true
          list: [first]
          map: { a: { b: 1 } }
          template: "{{ evil }}"
          said: "the pin is {{ pin }}"
          pins: ["{{ pin }}"]
          html: "<b>\\u001b[31m\\u202e</b>"
          big: "{{ 'x' * 32769 }}"
      run_once: true
    - set_stats: { data: { list: ["{{ inventory_hostname }}"] } }
    - set_stats: { data: { last: "{{ inventory_hostname }}" }, aggregate: false }
    - set_stats: { data: { host: "{{ inventory_hostname }}", version: x }, per_host: true }
    - set_stats: { data: { hidden: "not-declared" } }
      no_log: true
    - set_stats: { data: { "item_{{ item }}": "{{ item }}" } }
      loop: [x, y]
      run_once: true
    - evil:
`;

// Ansible itself takes statistics from every module.
const EVIL = `#!/bin/sh
echo '{"changed": false, "ansible_stats": {"data": {"version": "evil", "evil": "1"}, "aggregate": false, "per_host": false}}'
`;

for (const shown of ["0", "1"]) {
  Deno.test(`values of set_stats are outputs, as text and masked, with show_custom_stats=${shown}`, async () => {
    await using bench = await newRealBench();
    const run = await runWithEvents(
      bench,
      { "site.yml": PLAY, "library/evil": EVIL },
      hostsOf("a", "b").replaceAll("\n", " ansible_python_interpreter=/usr/bin/python3\n"),
      {
        ...PLAN,
        env: { ANSIBLE_SHOW_CUSTOM_STATS: shown },
        answers: { evil: "{{ lookup('pipe','id') }}" },
        secretVars: { pin: conceal("very-secret-pin") },
      },
    );
    assert.equal(run.end, "success", run.log);
    assert.equal(/CUSTOM STATS/.test(run.log), shown === "1");
    const { list, last, ...others } = outputsOf(run);
    assert.deepEqual(JSON.parse(list).toSorted(), ["a", "b", "first"]);
    assert.match(last, /^[ab]$/);
    assert.deepEqual(others, {
      version: "1.2",
      count: "3",
      flag: "true",
      map: '{"a":{"b":1}}',
      template: "{{ lookup('pipe','id') }}",
      said: "the pin is ***",
      pins: '["***"]',
      html: "<b>\u001b[31m\u202e</b>",
      host: '{"a":"a","b":"b"}',
      item_x: "x",
      item_y: "y",
    });
    assert.deepEqual(noticesOf(run), [
      "The outputs of an Ansible task with no_log are left out",
      'The output "big" is left out: it is longer than 32 KB',
    ]);
    assert.ok(run.events.every(({ type }) => type !== "lost"));
    assert.doesNotMatch(JSON.stringify(run.events), /very-secret/);
  });
}

Deno.test("values that processes write to $CALLBOARD_OUTPUTS are outputs, and win", async () => {
  await using bench = await newRealBench();
  const run = await runWithEvents(
    bench,
    {
      "site.yml": `${HEAD}
    - set_stats: { data: { version: from set_stats, other: "1" } }
    - raw: |
        stat -c 'mode=%a' "$CALLBOARD_OUTPUTS" >>"$CALLBOARD_OUTPUTS"
        echo 'version={{ pin }} {{ "{{" }} x }}' >>"$CALLBOARD_OUTPUTS"
        printf 'notes<<EOF\\none\\n%s\\nEOF\\n' '{{ pin }}' >>"$CALLBOARD_OUTPUTS"
        echo 'no output' >>"$CALLBOARD_OUTPUTS"
        echo '{{ pin }}=1' >>"$CALLBOARD_OUTPUTS"
        printf 'big=%033000d\\n' 1 >>"$CALLBOARD_OUTPUTS"
    - fail: { msg: the values are kept }
`,
    },
    hostsOf("a"),
    { ...PLAN, secretVars: { pin: conceal("very-secret-pin") } },
  );
  assert.equal(run.end, "error");
  assert.deepEqual(outputsOf(run), {
    mode: "600",
    version: "*** {{ x }}",
    notes: "one\n***",
    other: "1",
  });
  assert.deepEqual(noticesOf(run), [
    'Line 7 of the file of outputs is not "name=value"',
    'The output "***" is left out: its name may only have letters, digits and underscores, and at most 100 of them',
    'The output "big" is left out: it is longer than 32 KB',
  ]);
});

Deno.test("too many, too long and unreadable outputs never fail a play", async (t) => {
  await using bench = await newRealBench();
  const shell = (script: string) => ({
    "site.yml": `${HEAD}    - raw: ${JSON.stringify(script)}\n`,
  });
  const file = '"$CALLBOARD_OUTPUTS"';
  const run = async (script: string) => {
    const run = await runWithEvents(bench, shell(script), hostsOf("a"), PLAN);
    assert.equal(run.end, "success", run.log);
    return { run, values: Object.values(outputsOf(run)), notices: noticesOf(run) };
  };
  await t.step("200 names", async () => {
    const { values, run: { log } } = await run(
      `for n in $(seq 200); do echo "n$n=1"; done >${file}`,
    );
    assert.equal(values.length, 100);
    assert.match(log, /The output "n101" is left out: a task may have 100 outputs/);
    assert.match(log, /80 more problems with outputs are not listed/);
  });
  await t.step("a file of 600 KB", async () => {
    const { values, notices } = await run(
      `for n in $(seq 20); do printf 'n%s=%030000d\\n' $n 1; done >${file}`,
    );
    assert.equal(values.length, 8);
    assert.equal(notices[0], "The file of outputs is cut off after 512 KB");
    assert.match(notices[1], /^The output "n9" is left out: the outputs of a task may have 256 KB/);
  });
  await t.step("a folder in its place", async () => {
    const { values, notices } = await run(`rm ${file} && mkdir ${file}`);
    assert.deepEqual([values, notices], [[], ["The file of outputs is unreadable"]]);
  });
  await t.step("a pipe in its place, which nothing writes to", async () => {
    const { values, notices } = await run(`rm ${file} && mkfifo ${file}`);
    assert.deepEqual([values, notices], [[], ["The file of outputs is unreadable"]]);
  });
  await t.step("no file", async () => {
    const { values, notices } = await run(`rm ${file}`);
    assert.deepEqual([values, notices], [[], []]);
  });
});

Deno.test("a server that asks for no outputs gets none", async () => {
  await using bench = await newRealBench();
  const run = await runWithEvents(
    bench,
    {
      "site.yml":
        `${HEAD}    - set_stats: { data: { a: "1" } }\n    - raw: 'test -z "$CALLBOARD_OUTPUTS"'\n`,
    },
    hostsOf("a"),
  );
  assert.equal(run.end, "success", run.log);
  assert.deepEqual(outputsOf(run), {});
});
