import assert from "node:assert/strict";
import { conceal } from "@/lib/base/secret.ts";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { hostsOf } from "../support/many_plays.ts";
import { newRealBench, tellRun, type ToldRun } from "../support/real_ansible.ts";

// deno-lint-ignore no-explicit-any -- as the module returns it
type Answer = Record<string, any>;

const resultsOf = ({ events }: ToldRun) => events.filter((event) => event.type === "result");
const valueOf = ({ full }: HostResult) => full?.value as Answer;

const playOf = (...tasks: string[]) =>
  `- hosts: all\n  gather_facts: false\n  tasks:\n${
    tasks.map((task) => `    - ${task.replaceAll("\n", "\n      ")}\n`).join("")
  }`;

Deno.test("the full answer of a module is reported, without Ansible's own members", async () => {
  await using bench = await newRealBench();
  const run = await tellRun(
    bench,
    {
      "site.yml": playOf(
        'shell: "echo one; echo two >&2; exit 3"\nignore_errors: true',
        'command: "echo {{ item }}"\nloop: [a, b]',
        'copy: { content: words, dest: "{{ playbook_dir }}/out" }',
        "set_fact: { pin: 1234 }",
        "fail: { msg: no }\nwhen: false",
      ),
    },
    hostsOf("a"),
    { diff: true },
  );
  assert.equal(run.end, "success", run.log);
  const [failed, loop, copied, , skipped] = resultsOf(run).map(valueOf);
  assert.deepEqual([failed.rc, failed.stdout, failed.stderr], [3, "one", "two"]);
  assert.equal(failed.stdout_lines, undefined, "they only repeat it");
  assert.match(failed.start, /^\d{4}-/);
  assert.equal(failed.invocation.module_args._uses_shell, true);
  assert.deepEqual(
    loop.results.map(({ item, stdout, rc }: Record<string, unknown>) => [item, stdout, rc]),
    [["a", "a", 0], ["b", "b", 0]],
  );
  assert.match(copied.dest, /out$/);
  assert.equal(copied.diff, undefined);
  assert.match(skipped.skip_reason, /Conditional/);
  assert.doesNotMatch(JSON.stringify(run.events), /_ansible_|1234/);
});

Deno.test("values hidden by no_log are in no full result, even for one item or parameter", async () => {
  await using bench = await newRealBench();
  const run = await tellRun(
    bench,
    {
      "site.yml": playOf(
        'command: "echo hidden words"\nno_log: true',
        'command: "echo hidden words"\nno_log: true\nloop: [hidden]',
        'command: "echo {{ item.say }}"\nno_log: "{{ item.hide }}"\nloop: [{say: hidden words, hide: true}, {say: shown, hide: false}]',
        'uri: { url: "http://127.0.0.1:1/", url_password: hidden words }\nignore_errors: true',
      ),
    },
    hostsOf("a"),
  );
  const [whole, items, , parameter] = resultsOf(run);
  assert.deepEqual([whole.full, items.full], [undefined, undefined]);
  assert.equal(
    valueOf(parameter).invocation.module_args.url_password,
    "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER",
  );
  assert.doesNotMatch(JSON.stringify(run.events), /hidden words/);
});

Deno.test("a secret is masked in every text, name and number, also where it is escaped or cut", async () => {
  await using bench = await newRealBench();
  const secrets = { pin: 'a"secret\\\\pin', code: "73219988", long: "long-secret-word" };
  const run = await tellRun(
    bench,
    {
      "site.yml": playOf(
        "debug: { msg: \"{{ {'deep': [pin], pin: 1, 'number': code | int} }}\" }",
        `debug: { msg: "{{ 'x' * 11993 }}{{ long }} and more" }`,
      ),
    },
    hostsOf("a"),
    { secretVars: Object.fromEntries(Object.entries(secrets).map(([k, v]) => [k, conceal(v)])) },
  );
  assert.equal(run.end, "success", run.log);
  const [said, cut] = resultsOf(run);
  assert.deepEqual(valueOf(said).msg, { deep: ["***"], "***": 1, number: "***" });
  assert.equal(valueOf(cut).msg, `${"x".repeat(11_993)}…`);
  assert.deepEqual(cut.full!.shortened, [{ path: ["msg"], length: 11_993 + 16 + 9 }]);
  assert.doesNotMatch(JSON.stringify(run.events), /secret|73219988/);
});

Deno.test("a long answer is cut where it is long, and a failed item stays", async () => {
  await using bench = await newRealBench();
  const run = await tellRun(
    bench,
    {
      "site.yml": playOf(
        'shell: "seq 1 200000"',
        'assert: { that: item != 290 }\nloop: "{{ range(300) | list }}"\nignore_errors: true',
      ),
    },
    hostsOf("a"),
  );
  assert.equal(run.end, "success", run.log);
  const [long, loop] = resultsOf(run);
  assert.match(valueOf(long).stdout, /^1\n2\n3\n[^]*…$/);
  assert.deepEqual(long.full!.shortened, [{ path: ["stdout"], length: 1_288_894 }]);
  assert.equal(valueOf(long).rc, 0);
  const { results } = valueOf(loop);
  assert.equal(results[0].item, 290);
  assert.ok(results.length >= 15 && JSON.stringify(loop.full).length < 17_000);
  assert.ok(
    loop.full!.shortened.some(({ path, length }) => path[0] === "results" && length === 300),
  );
});

Deno.test("gathered facts are told beside the result, and variables that are set are not", async () => {
  await using bench = await newRealBench();
  const run = await tellRun(
    bench,
    {
      "site.yml": `- hosts: all
  tasks:
    - set_fact: { pin: hidden words }
    - setup: { gather_subset: ["!all"] }
      no_log: true
`,
    },
    hostsOf("a"),
  );
  assert.equal(run.end, "success", run.log);
  const facts = run.events.filter((event) => event.type === "facts");
  assert.equal(facts.length, 1);
  assert.equal(facts[0].host, "a");
  assert.equal(facts[0].facts!.value.ansible_system, "Linux");
  assert.equal(facts[0].facts!.value.ansible_env, undefined);
  assert.equal(valueOf(resultsOf(run)[0]).ansible_facts, undefined);
  assert.doesNotMatch(JSON.stringify(run.events), /hidden words/);
});

Deno.test("a run that is not asked for it tells none of it", async () => {
  await using bench = await newRealBench();
  const run = await tellRun(
    bench,
    { "site.yml": "- hosts: all\n" },
    hostsOf("a"),
    { fullResults: false },
  );
  assert.deepEqual(resultsOf(run).map(({ full }) => full), [undefined]);
  assert.ok(!run.events.some(({ type }) => type === "facts"));
});
