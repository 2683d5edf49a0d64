import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import type { HostResult } from "@/lib/execution/run/events.ts";
import { askAnsible } from "@/tests/support/programs/ansible_python.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import {
  newRealBench,
  type RunWithEvents,
  runWithEvents,
} from "@/tests/support/programs/real_ansible.ts";

const resultsOf = ({ events }: RunWithEvents): Map<string, HostResult[]> => {
  const names = new Map<string, string>();
  for (const event of events) if (event.type === "task") names.set(event.uuid, event.name);
  const results = events.filter((event): event is HostResult => event.type === "result");
  return Map.groupBy(results, ({ uuid }) => names.get(uuid) ?? "");
};

const placesOf = ({ events }: RunWithEvents) => {
  const end = events.find((event) => event.type === "end");
  return end?.type === "end" ? end.checkMode : undefined;
};

const check: Partial<AnsiblePlan> = { dryRun: true, diff: true };
const run = (tasks: string, more = "") =>
  `- hosts: all\n  gather_facts: false\n${more}  tasks:\n${tasks}`;

/** Each way in which an Ansible task can be carried out in check mode. */
const CARRIED_OUT = run(
  `    - {name: By itself, command: "true", check_mode: false}
    - name: By its block
      check_mode: false
      block: [{name: In the block, raw: "true"}]
    - {name: By a variable, raw: "true", check_mode: "{{ held }}"}
    - name: By the item
      raw: "true"
      loop: [1, 2]
      check_mode: "{{ item == 1 }}"
    - {name: On one host, raw: "true", check_mode: "{{ inventory_hostname == 'b' }}"}
    - {name: Secretly, raw: "true", check_mode: false, no_log: true}
    - {name: Failing, raw: "false", check_mode: false, ignore_errors: true}
    - {name: Skipped, raw: "true", check_mode: false, when: false}
    - include_role: {name: real}
    - {name: Held back, command: "true"}
`,
  "  vars: {held: false}\n",
);
const ROLE = { "roles/real/tasks/main.yml": '- {name: By its role, raw: "true"}\n' };

Deno.test("a run in check mode reports what it carried out anyway", async (t) => {
  await using bench = await newRealBench();
  const files = {
    "site.yml": CARRIED_OUT.replace(
      "- include_role: {name: real}",
      "- {include_role: {name: real, apply: {check_mode: false}}, name: Include}",
    ),
    ...ROLE,
  };
  const checked = await runWithEvents(bench, files, hostsOf("a", "b"), check);
  assert.equal(checked.end, "success", checked.log);
  const told = [...resultsOf(checked)].map((
    [name, results],
  ): [string, string] => [
    name,
    results.filter(({ carriedOut }) => carriedOut).map(({ host }) => host).toSorted().join(),
  ]);
  assert.deepEqual(Object.fromEntries(told), {
    "By itself": "a,b",
    "In the block": "a,b",
    "By a variable": "a,b",
    "By the item": "a,b",
    "On one host": "a",
    "Secretly": "a,b",
    "Failing": "a,b",
    "Skipped": "",
    "Include": "",
    "real : By its role": "a,b",
    "Held back": "",
  });
  assert.deepEqual(placesOf(checked), [], "nothing asks for check mode");

  await t.step(
    "a run outside of check mode reports nothing of it, and looks for nothing",
    async () => {
      const asking = { "group_vars/all.yml": 'in_check: "{{ ansible_check_mode }}"\n' };
      const plain = await runWithEvents(bench, asking, hostsOf("a"));
      const results = [...resultsOf(plain).values()].flat();
      assert.equal(results.some(({ carriedOut }) => carriedOut), false);
      assert.equal(placesOf(plain), undefined);
    },
  );
});

Deno.test("each item of a loop counts as Ansible has ended it", async () => {
  await using bench = await newRealBench();
  const tasks = `    - name: Loop
      raw: "true"
      loop: [1, 2, 3]
      when: item == 1 or not ansible_check_mode
      check_mode: false
    - name: Commands
      command: "true"
      loop: [1, 2]
    - {name: Secret commands, command: "true", loop: [1, 2], no_log: true}
`;
  const told = await runWithEvents(bench, { "site.yml": run(tasks) }, hostsOf("a"), check);
  const results = resultsOf(told);
  const of = (name: string) => {
    const { items, unchecked, itemResults } = results.get(name)![0];
    return { items, unchecked, told: itemResults.map(({ status }) => status) };
  };
  assert.deepEqual(of("Loop"), {
    items: [0, 1, 0, 2],
    unchecked: false,
    told: ["changed", "skipped", "skipped"],
  });
  assert.deepEqual(of("Commands"), {
    items: [0, 0, 0, 2],
    unchecked: true,
    told: ["skipped", "skipped"],
  });
  // Ansible before 2.19 does not report how many items a secret loop had.
  const { unchecked, itemResults } = results.get("Secret commands")![0];
  assert.deepEqual([unchecked, itemResults], [true, []]);
});

/**
 * Results as ansible-core 2.21 passes them to callbacks. There only methods and the item's own
 * event show that something was skipped. One of three items ran, and check mode skipped the others.
 */
const NEWEST = `
import importlib.util, json, sys, types
from ansible import context
path = json.load(sys.stdin)
context.CLIARGS = {"check": True}
spec = importlib.util.spec_from_file_location("told", path)
told = importlib.util.module_from_spec(spec)
spec.loader.exec_module(told)
callback, events = told.CallbackModule(), []
callback.socket, callback.send = True, events.append
callback.marked = lambda: "0"
callback.announced.add("t")

class Result:
    def __init__(self, values, check_mode=True, changed=False):
        self.host = types.SimpleNamespace(get_name=lambda: "web")
        self.task = types.SimpleNamespace(_uuid="t", action="command", no_log=False, when=[],
            check_mode=check_mode, delegate_to=None)
        self.result = values
        self.changed = changed
    def is_changed(self):
        return self.changed
    @property
    def task_fields(self):
        raise Exception("deprecated")

done = {"changed": True, "rc": 0, "item": 1, "ansible_loop_var": "item"}
condition = {"changed": False, "skip_reason": "Conditional result was False", "item": 2,
    "false_condition": "not ansible_check_mode", "ansible_loop_var": "item"}
command = {"changed": False, "msg": "Command would have run if not in check mode", "item": 3,
    "ansible_loop_var": "item"}
def loop(*items, end="v2_runner_on_ok"):
    for event, values, check_mode in items:
        result = Result(values, check_mode, values["changed"])
        getattr(callback, "v2_runner_item_on_" + event)(result)
    results = [values for _, values, _ in items]
    getattr(callback, end)(Result({"changed": False, "results": results, "msg": "All"}))
loop(("ok", done, False), ("skipped", condition, True), ("skipped", command, True))
loop(("ok", done, False))
loop(("skipped", command, True), end="v2_runner_on_skipped")
callback.v2_runner_on_skipped(Result(command))
nothing = {"changed": False, "skip_reason": "No items in the list", "results": []}
callback.v2_runner_on_skipped(Result(nothing))
print(json.dumps([event for event in events if event["e"] == "result"]))
`;

Deno.test("facts that the latest Ansible omits from a result are taken from its events", async () => {
  const folder = new URL("../../../lib/execution/ansible/callback/", import.meta.url);
  const told = await askAnsible<Record<string, unknown>[]>(
    NEWEST,
    fileURLToPath(new URL("callboard_results.py", folder)),
  );
  const facts = told.map(({ i, un, co, it }) => ({
    items: i,
    unchecked: un ?? false,
    carriedOut: co ?? false,
    told: (it as string[][] | undefined)?.map(([state]) => state),
  }));
  assert.deepEqual(facts, [
    {
      items: [0, 1, 0, 2],
      unchecked: true,
      carriedOut: true,
      told: ["changed", "skipped", "skipped"],
    },
    { items: [0, 1, 0, 0], unchecked: false, carriedOut: true, told: ["changed"] },
    { items: [0, 0, 0, 1], unchecked: true, carriedOut: false, told: ["skipped"] },
    { items: undefined, unchecked: true, carriedOut: false, told: undefined },
    { items: undefined, unchecked: false, carriedOut: false, told: undefined },
  ]);
});

/**
 * Places where a play can read its mode, and the reported positions. The first file of each is a
 * playbook. All share a run.
 */
const ASKING: [string, Record<string, string>, string[]][] = [
  ["nowhere", {
    "plain.yml": run("    - debug: {msg: fine}\n"),
    "README.md": "ansible_check_mode",
    ".ci/x": "ansible_check_mode",
  }, []],
  ["an end of the play", {
    "end_play.yml": run("    - {meta: end_play, when: ansible_check_mode}\n    - debug:\n"),
  }, ["end_play.yml:4"]],
  ["an end of the host, by the play's variable", {
    "end_host.yml": run(
      "    - {meta: end_host, when: in_check}\n    - debug:\n",
      '  vars: {in_check: "{{ ansible_check_mode }}"}\n',
    ),
  }, ["end_host.yml:3"]],
  ["a file of variables", {
    "vars.yml": run(
      '    - {command: "true", when: not in_check}\n',
      "  vars_files: [conf/a.yml]\n",
    ),
    "conf/a.yml": '\nin_check: "{{ ansible_check_mode }}"\n',
  }, ["conf/a.yml:2"]],
  ["set_fact", {
    "set_fact.yml": run(
      '    - set_fact: {in_check: "{{ ansible_check_mode }}"}\n    - {debug: , when: not in_check}\n',
    ),
  }, ["set_fact.yml:4"]],
  ["group variables, a role that is used, and one that is not", {
    "role.yml": run("    - debug:\n", "  roles: [used]\n"),
    "group_vars/all.yml": 'in_check: "{{ ansible_check_mode }}"\n',
    "roles/used/templates/a.j2": "{{ ansible_diff_mode }}",
    "roles/used/tasks/main.yml": "- debug:\n",
    "roles/unused/tasks/main.yml": "- {debug: , when: ansible_check_mode}\n",
  }, ["group_vars/all.yml:1", "roles/used/templates/a.j2:1"]],
  ["another playbook, and one that is imported", {
    "import.yml": "- import_playbook: more.yml\n",
    "more.yml": run("    - {debug: , when: not ansible_check_mode}\n"),
    "other.yml": run("    - {debug: , when: not ansible_check_mode}\n"),
  }, ["more.yml:4"]],
];

Deno.test("a run in check mode reports where its play asks for that", async (t) => {
  await using bench = await newRealBench();
  const files = Object.assign({}, ...ASKING.map(([, files]) => files));
  const playbooks = ASKING.map(([, files]) => Object.keys(files)[0]);
  files["site.yml"] = playbooks.map((name) => `- import_playbook: ${name}\n`).join("");
  const asks = "{{ ansible_check_mode }}";
  const told = await runWithEvents(bench, files, `${hostsOf("a").trimEnd()} asks="${asks}"`, {
    ...check,
    extraVars: { asks_too: asks },
  });
  assert.equal(told.end, "success", told.log);
  const found = new Set(placesOf(told));
  const others: [string, object, string[]][] = [
    ["extra vars", {}, ["extra vars"]],
    ["the inventory", {}, ["inventory: a"]],
  ];
  for (const [name, , places] of [...ASKING, ...others]) {
    await t.step(name, () => {
      for (const place of places) assert.ok(found.delete(place), place);
    });
  }
  assert.deepEqual([...found], []);
});
