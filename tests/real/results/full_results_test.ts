import assert from "node:assert/strict";
import { parseExact } from "@/lib/base/text/exact_json.ts";
import { conceal } from "@/lib/base/secret.ts";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import {
  newRealBench,
  type RunWithEvents,
  runWithEvents,
} from "@/tests/support/programs/real_ansible.ts";

// deno-lint-ignore no-explicit-any -- as the module returns it
type Answer = Record<string, any>;

const valueOf = ({ full }: HostResult) => full?.value as Answer;

const SECRETS = { pin: 'a"secret\\\\pin', code: "73219988", long: "long-secret-word" };

/** Numbers that JavaScript would change. */
const EXACT = '[1198765432101234567,1.0,-0.0,1.5e+300,{"deep":[1198765432101234569]}]';

/** The Ansible tasks of each test, on a host of its own. */
const TASKS = {
  modules: [
    'shell: "echo one; echo two >&2; exit 3"\nignore_errors: true',
    'command: "echo {{ item }}"\nloop: [a, b]',
    'copy: { content: words, dest: "{{ playbook_dir }}/out" }',
    "set_fact: { color: chartreuse }",
    "fail: { msg: no }\nwhen: false",
  ],
  hidden: [
    'command: "echo hidden words"\nno_log: true',
    'command: "echo hidden words"\nno_log: true\nloop: [hidden]',
    'command: "echo {{ item.say }}"\nno_log: "{{ item.hide }}"\nloop: [{say: hidden words, hide: true}, {say: shown, hide: false}]',
    'uri: { url: "http://127.0.0.1:1/", url_password: hidden words }\nignore_errors: true',
  ],
  masked: [
    "debug: { msg: \"{{ {'deep': [pin], pin: 1, 'number': code | int} }}\" }",
    `debug: { msg: "{{ 'x' * 11993 }}{{ long }} and more" }`,
  ],
  long: [
    'shell: "seq 1 200000"',
    'assert: { that: item != 190 }\nloop: "{{ range(200) | list }}"\nignore_errors: true',
  ],
  numbers: [
    "debug: { msg: [1198765432101234567, 1.0, -0.0, 1.5e+300, .inf, .nan] }",
    "debug: { var: exact }",
  ],
  facts: [
    "set_fact: { said: hidden words }",
    'setup: { gather_subset: ["!all"] }\nno_log: true',
  ],
};

const playOf = (host: string, tasks: string[]) =>
  `- hosts: ${host}\n  gather_facts: ${host === "facts"}\n  gather_subset: [min]\n  tasks:\n${
    tasks.map((task) => `    - ${task.replaceAll("\n", "\n      ")}\n`).join("")
  }`;

let ran: Promise<RunWithEvents> | undefined;
/** Returns the events of a host in the only run, as a start of Ansible takes longer than a play. */
async function eventsOf(name: keyof typeof TASKS) {
  ran ??= (async () => {
    await using bench = await newRealBench();
    const site = Object.entries(TASKS).map(([host, tasks]) => playOf(host, tasks)).join("");
    const secrets = Object.entries(SECRETS).map(([name, text]) => [name, conceal(text)]);
    const secretVars = Object.fromEntries(secrets);
    const hosts = hostsOf(...Object.keys(TASKS));
    return await runWithEvents(bench, { "site.yml": site }, hosts, {
      diff: true,
      secretVars,
      extraVars: { exact: parseExact(EXACT) },
    });
  })();
  const run = await ran;
  assert.equal(run.end, "success", run.log);
  const events = run.events.filter((event) => !("host" in event) || event.host === name);
  return { events, results: events.filter((event) => event.type === "result") };
}

Deno.test("the full answer of a module is reported, without Ansible's own members", async () => {
  const { events, results } = await eventsOf("modules");
  const [failed, loop, copied, , skipped] = results.map(valueOf);
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
  assert.doesNotMatch(JSON.stringify(events), /_ansible_|chartreuse/);
});

Deno.test("values hidden by no_log are in no full result, even for one item or parameter", async () => {
  const { events, results } = await eventsOf("hidden");
  const [whole, items, , parameter] = results;
  assert.deepEqual([whole.full, items.full], [undefined, undefined]);
  assert.equal(
    valueOf(parameter).invocation.module_args.url_password,
    "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER",
  );
  assert.doesNotMatch(JSON.stringify(events), /hidden words/);
});

Deno.test("a secret is masked in every text, name and number, also where it is escaped or cut", async () => {
  const { events, results } = await eventsOf("masked");
  const [said, cut] = results;
  assert.deepEqual(valueOf(said).msg, { deep: ["***"], "***": 1, number: "***" });
  assert.equal(valueOf(cut).msg, `${"x".repeat(11_993)}…`);
  assert.deepEqual(cut.full!.shortened, [{ path: ["msg"], length: 11_993 + 16 + 9 }]);
  assert.doesNotMatch(JSON.stringify(events), /secret|73219988/);
});

Deno.test("numbers keep their digits and their kind", async () => {
  const { results: [said, given] } = await eventsOf("numbers");
  const numbers = '[1198765432101234567,1.0,-0.0,1.5e+300,"inf","nan"]';
  assert.equal(JSON.stringify(valueOf(said).msg), numbers);
  assert.equal(JSON.stringify(valueOf(given).exact), EXACT);
});

Deno.test("a long answer is cut where it is long, and a failed item stays", async () => {
  const { results } = await eventsOf("long");
  const [long, loop] = results;
  assert.match(valueOf(long).stdout, /^1\n2\n3\n[^]*…$/);
  assert.deepEqual(long.full!.shortened, [{ path: ["stdout"], length: 1_288_894 }]);
  assert.equal(valueOf(long).rc, 0);
  const { results: items } = valueOf(loop);
  assert.equal(items[0].item, 190);
  assert.ok(items.length >= 15 && JSON.stringify(loop.full).length < 17_000);
  assert.ok(
    loop.full!.shortened.some(({ path, length }) => path[0] === "results" && length === 200),
  );
});

Deno.test("gathered facts are reported beside the result, and variables that are set are not", async () => {
  const { events, results } = await eventsOf("facts");
  const facts = events.filter((event) => event.type === "facts");
  assert.equal(facts.length, 1);
  assert.equal(facts[0].host, "facts");
  assert.equal(facts[0].facts!.value.ansible_system, "Linux");
  assert.equal(facts[0].facts!.value.ansible_env, undefined);
  assert.equal(valueOf(results[0]).ansible_facts, undefined);
  assert.doesNotMatch(JSON.stringify(events), /hidden words/);
});

Deno.test("a run without full results reports none of them", async () => {
  await using bench = await newRealBench();
  const run = await runWithEvents(
    bench,
    { "site.yml": '- hosts: all\n  gather_subset: ["!all"]\n' },
    hostsOf("a"),
    { fullResults: false },
  );
  const results = run.events.filter((event) => event.type === "result");
  assert.deepEqual(results.map(({ full }) => full), [undefined]);
  assert.ok(!run.events.some(({ type }) => type === "facts"));
});
