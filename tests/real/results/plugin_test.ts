import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conceal } from "@/lib/base/secret.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { askAnsible } from "@/tests/support/programs/ansible_python.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import {
  newRealBench,
  type RunWithEvents,
  runWithEvents,
} from "@/tests/support/programs/real_ansible.ts";
import { linesAhead } from "@/lib/results/outline.ts";

const PLUGIN = fileURLToPath(new URL("../../../lib/execution/ansible/callback", import.meta.url));

/** A callback of the user, which prints that it is loaded. */
const own = (name: string, type: "notification" | "stdout") =>
  `from ansible.plugins.callback${type === "stdout" ? ".default" : ""} import ${
    type === "stdout" ? "CallbackModule as Base" : "CallbackBase as Base"
  }
DOCUMENTATION = """
    name: ${name}
    type: ${type}
    short_description: says so
    extends_documentation_fragment: [default_callback${
    type === "stdout" ? ", result_format_callback" : ""
  }]
"""
class CallbackModule(Base):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "${type}"
    CALLBACK_NAME = "${name}"
    def v2_playbook_on_stats(self, stats):
        self._display.display("${name} is here")
`;

const PLAY = '- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: "true"\n';

interface Case {
  name: string;
  files: Record<string, string>;
  env?: Record<string, string>;
  /** Prepares the data folder before the run. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Callbacks beside "mine". */
  others?: string[];
}

const CASES: Case[] = [
  {
    name: "the environment",
    files: { "cb/mine.py": own("mine", "notification") },
    env: { ANSIBLE_CALLBACK_PLUGINS: "./nowhere:./cb" },
  },
  {
    name: "the repository's ansible.cfg, also the output's own callback",
    files: {
      "conf/cb/mine.py": own("mine", "notification"),
      "conf/more/shown.py": own("shown", "stdout"),
      "ansible.cfg":
        "[defaults]\ncallback_plugins = ./nowhere:\n  conf/cb:conf/more ; both\nstdout_callback = shown\n",
    },
    others: ["shown"],
  },
  {
    name: "an ansible.cfg elsewhere, named by its folder",
    files: {
      "conf/cb/mine.py": own("mine", "notification"),
      "conf/ansible.cfg": "[defaults]\ncallback_plugins = cb\n",
      "ansible.cfg": "[defaults]\ncallback_plugins = nowhere\n",
    },
    env: { ANSIBLE_CONFIG: "conf" },
  },
  {
    name: "the home's ansible.cfg",
    files: {},
    async prepare(dataDir) {
      const home = join(dataDir, "homes", "1");
      await Deno.mkdir(join(home, "cb"), { recursive: true });
      await Deno.writeTextFile(join(home, "cb", "mine.py"), own("mine", "notification"));
      await Deno.writeTextFile(join(home, ".ansible.cfg"), "[defaults]\ncallback_plugins=~/cb\n");
    },
  },
  {
    name: "Ansible's own folder for them, and one beside the playbook",
    files: { "callback_plugins/beside.py": own("beside", "notification") },
    others: ["beside"],
    async prepare(dataDir) {
      const folder = join(dataDir, "homes", "1", ".ansible", "plugins", "callback");
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(join(folder, "mine.py"), own("mine", "notification"));
    },
  },
  {
    name: "the same below another home for Ansible",
    files: {
      "ansible.cfg": "[defaults]\nhome = ./ansible\n",
      "ansible/plugins/callback/mine.py": own("mine", "notification"),
    },
  },
];

const resultsOf = ({ events }: RunWithEvents) => events.filter((event) => event.type === "result");

Deno.test("our callback joins the user's own, wherever they are set, and replaces none", async (t) => {
  for (const { name, files, env = {}, prepare, others = [] } of CASES) {
    await t.step(name, async () => {
      await using bench = await newRealBench();
      await prepare?.(bench.environment.dataDir);
      const run = await runWithEvents(bench, { ...files, "site.yml": PLAY }, hostsOf("a"), { env });
      assert.equal(run.end, "success", run.log);
      for (const own of ["mine", ...others]) assert.ok(run.log.includes(`${own} is here`), run.log);
      assert.equal(run.log.includes("PLAY RECAP"), !others.includes("shown"));
      assert.deepEqual(resultsOf(run).map(({ status }) => status), ["changed"]);
      assert.equal(run.events.at(-1)!.type, "end");
    });
  }
});

Deno.test("an ansible.cfg in a folder that all may write to counts for nothing, as for Ansible", async () => {
  await using bench = await newRealBench();
  const folder = join(bench.directory, "open");
  await Deno.mkdir(join(folder, "cb"), { recursive: true });
  await Deno.writeTextFile(join(folder, "site.yml"), PLAY);
  await Deno.writeTextFile(join(folder, "cb", "mine.py"), own("mine", "notification"));
  await Deno.writeTextFile(join(folder, "ansible.cfg"), "[defaults]\ncallback_plugins = cb\n");
  await Deno.chmod(folder, 0o777);
  const { repository } = bench.plan();
  const changes: Partial<AnsiblePlan> = {
    repository: {
      ...repository,
      branch: null,
      address: { ...repository.address, kind: "local", url: folder },
    },
  };
  const run = await runWithEvents(bench, {}, hostsOf("a"), changes);
  assert.equal(run.end, "success", run.log);
  assert.doesNotMatch(run.log, /mine is here/);
  assert.equal(resultsOf(run).length, 1);
  await Deno.chmod(folder, 0o755);
  assert.match((await runWithEvents(bench, {}, hostsOf("a"), changes)).log, /mine is here/);
});

/** Plays on hosts of their own, which share a run because a start of Ansible takes longer. */
const PLAYS = `- hosts: masked
  gather_facts: false
  tasks:
    - debug: { msg: "said {{ pin }}, {{ pin | b64encode }}" }
    - debug: { msg: "{{ 'x' * (3997 - 'said '|length) }}{{ pin }} and more" }
    - raw: "false {{ item }}"
      loop: ["{{ pin }}"]
      ignore_errors: true
    - fail: { msg: "{{ {'deep': [pin]} | to_json }}" }
      ignore_errors: true
    - copy: { content: "pin={{ pin }}\\nport=80\\n", dest: "{{ playbook_dir }}/pin" }
    - lineinfile: { path: "{{ playbook_dir }}/pin", regexp: pin, line: pin=changed }
- hosts: long
  gather_facts: false
  tasks:
    - set_fact: { long: "{{ 'long ' * 2000000 }}" }
      no_log: true
    - assert: { that: false, fail_msg: "{{ long }}", quiet: true }
      ignore_errors: true
    - debug: { msg: ["{{ long }}", "{{ long }}"] }
      no_log: true
    - lineinfile:
        path: "{{ playbook_dir }}/long"
        line: "{{ 'a line of it\\n' * 5000 }}"
        create: true
- hosts: loop
  gather_facts: false
  tasks:
    - lineinfile: { path: "{{ playbook_dir }}/{{ item }}", line: "{{ item }}", create: true }
      loop: [one, two, three]
    - raw: "true"
      delegate_to: "{{ item }}"
      loop: [b, c]
    - raw: "true"
      delegate_to: "{{ item }}"
      loop: [loop]
`;

let ran: Promise<RunWithEvents> | undefined;
/** Returns the only run of the plays, and the results of one of its hosts. */
async function runPlays(name: string) {
  ran ??= (async () => {
    await using bench = await newRealBench();
    const hosts = hostsOf("masked", "long", "loop", "b", "c");
    const secretVars = { pin: conceal("very-secret-pin") };
    return await runWithEvents(bench, { "site.yml": PLAYS }, hosts, { diff: true, secretVars });
  })();
  const run = await ran;
  assert.equal(run.end, "success", run.log);
  return { run, results: resultsOf(run).filter(({ host }) => host === name) };
}

Deno.test("a secret in a message, an item or a difference is masked", async () => {
  const { run, results } = await runPlays("masked");
  const [said, long, loop, failed, first, second] = results;
  assert.doesNotMatch(JSON.stringify(run.events), /very|secret|dmVyeS1/);
  assert.equal(said.message, "said ***, ***");
  assert.match(long.message, /^x{3992}…$/);
  assert.equal(loop.itemResults[0].label, "***");
  assert.match(failed.message, /deep.*\*\*\*/);
  assert.match(first.diff!, /^\+pin=\*\*\*$/m);
  assert.match(second.diff!, /^-pin=\*\*\*\n\+pin=changed\n port=80$/m);
  assert.equal(first.diff!.split("\n")[1].replace("+++", "---"), first.diff!.split("\n")[0]);
});

Deno.test("a message of 10 MB is cut in the play, and a difference at its lines", async () => {
  const [, failed, hidden, written] = (await runPlays("long")).results;
  assert.equal(failed.message.length, 4_001);
  assert.ok(hidden.hidden);
  assert.equal(hidden.message, "");
  assert.ok(written.diff!.length > 20_000 && written.diff!.length <= 32 * 1024 + 1);
});

Deno.test("the lines of a loop are those of all its items, and its hosts all that it went to", async () => {
  const { run, results } = await runPlays("loop");
  assert.deepEqual(results.map(({ delegatedTo }) => delegatedTo), ["", "b, c", ""]);
  const ahead = linesAhead();
  for (const event of run.events) if (event.type === "line") ahead.add(event);
  const { from, to } = ahead.linesOf(results[0])!;
  const printed = run.log.split("\n").slice(from - 1, to).join("\n");
  for (const item of ["one", "two", "three"]) assert.ok(printed.includes(`item=${item}`), printed);
});

Deno.test("a host whose name is too long is shown by its beginning, and costs no other host", async () => {
  await using bench = await newRealBench();
  const long = "h".repeat(1_200);
  const run = await runWithEvents(
    bench,
    { "site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n    - fail: { msg: full }\n" },
    hostsOf("a", "b", long),
  );
  assert.deepEqual(run.reason, {
    key: "errors.run.only_failed",
    params: { failed: 3, unreachable: 0, hosts: 3 },
  });
  const shown = `${"h".repeat(500)}…`;
  const names = resultsOf(run).map(({ host }) => host);
  assert.deepEqual(names.toSorted(), ["a", "b", shown]);
  const [recap] = run.events.filter((event) => event.type === "recap");
  assert.deepEqual([...recap.hosts.keys()], ["a", "b", shown]);
  assert.ok(run.events.every(({ type }) => type !== "lost"));
});

/** Sends the plugin a result of an Ansible task that was not announced. */
const EARLY = `
import json, os, socket, sys
sys.path.insert(0, json.load(sys.stdin))
reader, writer = socket.socketpair()
reader.sendall(b"\\x01\\x02" * 8 + b"\\n")
os.environ["CALLBOARD_RESULTS"] = str(writer.detach())
import callboard_results
printed, sys.stdout = sys.stdout, open(os.devnull, "w")
plugin = callboard_results.CallbackModule()
class Task:
    _uuid, action, no_log, check_mode, delegate_to, _role = "t1", "command", False, False, None, None
    def get_name(self): return "Early"
    def get_path(self): return ""
class Host:
    def get_name(self): return "web"
class Result:
    _task, _host, _result = Task(), Host(), {}
    def is_changed(self): return False
plugin.v2_runner_on_ok(Result())
plugin.v2_playbook_on_task_start(Task(), False)
lines = reader.recv(1 << 16).splitlines()
print(json.dumps([[event["e"], event.get("n")] for event in map(json.loads, lines)]), file=printed)
`;

Deno.test("a result that comes before its task is announced has its name, and makes no second task", async () => {
  assert.deepEqual(await askAnsible(EARLY, PLUGIN), [["task", "Early"], ["result", null]]);
});

Deno.test("Ansible tasks skipped by check mode differ from those that are skipped anyway", async () => {
  await using bench = await newRealBench();
  const leftOut = [
    'command: "true"',
    'command: "true"\n      when: not ansible_check_mode',
    'command: "{{ item }}"\n      loop: ["true", "false"]',
    'command: "{{ item }}"\n      loop: ["true"]\n      when: not ansible_check_mode and item',
  ];
  const known = [
    'command: "true"\n      when: false',
    'command: "{{ item }}"\n      loop: []',
    'command: "{{ item }}"\n      loop: ["true", "false"]\n      when: item == "neither"',
    'command: "true"\n      check_mode: false',
    "debug: { msg: words }",
    'copy: { content: words, dest: "{{ playbook_dir }}/out" }',
  ];
  const run = await runWithEvents(
    bench,
    {
      "site.yml": `- hosts: all\n  gather_facts: false\n  tasks:\n${
        [...leftOut, ...known].map((task) => `    - ${task}\n`).join("")
      }`,
    },
    hostsOf("a"),
    { dryRun: true },
  );
  assert.equal(run.end, "success", run.log);
  assert.deepEqual(
    resultsOf(run).map(({ unchecked }) => unchecked),
    [...leftOut.map(() => true), ...known.map(() => false)],
    run.log,
  );
});

/** Runs the plugin in a process of its own, with its events and its reader as input. */
const DRIVER = `
import json, os, socket, sys, time
sys.path.insert(0, json.load(sys.stdin))
reader, writer = socket.socketpair()
reader.sendall(b"\\x01\\x02" * 8 + b"\\n")
os.environ["CALLBOARD_RESULTS"] = str(writer.detach())
import callboard_results
sys.stdout = open(os.devnull, "w")
plugin = callboard_results.CallbackModule()
event = {"e": "line", "u": "x" * 4000, "h": "a", "m": 1}
began = time.monotonic()
for _ in range(5000): plugin.send(event)
slow = {"lost": plugin.lost, "waiting": plugin.waiting_bytes, "took": time.monotonic() - began}
began = time.monotonic()
class Stats:
    processed = {}
plugin.v2_playbook_on_stats(Stats())
slow["end"] = time.monotonic() - began
told = b""
reader.setblocking(False)
last = b""
while True:
    plugin.flush()
    try:
        last = (last + reader.recv(1 << 20))[-500:]
    except BlockingIOError:
        if not plugin.waiting: break
slow["last"] = json.loads(last.split(b"\\n")[-2])
reader.close()
plugin.send(event)
plugin.send(event)
plugin.flush_last()
gone = {"disabled": plugin.disabled, "waiting": len(plugin.waiting)}
sys.stdout = sys.__stdout__
print(json.dumps({"slow": slow, "gone": gone, "left": "CALLBOARD_RESULTS" in os.environ}))
`;

Deno.test("a reader that is slow or gone costs events, and neither the play nor its time", async () => {
  // deno-lint-ignore no-explicit-any -- as the script returns it
  const { slow, gone, left } = await askAnsible<any>(DRIVER, PLUGIN);
  assert.ok(slow.lost > 1_000 && slow.lost < 5_000, JSON.stringify(slow));
  assert.ok(slow.waiting <= 8 * 1024 * 1024);
  assert.ok(slow.took < 2, "it never waits");
  assert.ok(slow.end >= 1.5 && slow.end < 4, "the end waits a little");
  assert.equal(slow.last.e, "end");
  assert.equal(slow.last.lost, slow.lost, "and tells what was lost");
  assert.deepEqual(gone, { disabled: true, waiting: 0 });
  assert.equal(left, false, "what the play starts knows nothing of it");
});

Deno.test("the plugin does nothing in a play that Callboard has not started", async () => {
  await using bench = await newRealBench();
  await Deno.writeTextFile(`${bench.directory}/site.yml`, PLAY);
  await Deno.writeTextFile(`${bench.directory}/hosts`, hostsOf("a"));
  const run = async (env: Record<string, string>) => {
    const { playbook } = bench.environment.ansible;
    const { code, stdout, stderr } = await new Deno.Command(playbook, {
      args: ["-i", "hosts", "site.yml"],
      cwd: bench.directory,
      env,
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  };
  const without = await run({});
  assert.equal(without.code, 0, without.stderr);
  const told: Record<string, string>[] = [
    {},
    { CALLBOARD_RESULTS: "77" },
    { CALLBOARD_RESULTS: "what?" },
  ];
  for (const env of told) {
    const ran = await run({ ANSIBLE_CALLBACK_PLUGINS: PLUGIN, ...env });
    assert.deepEqual({ ...ran, stdout: ran.stdout.trim() }, {
      ...without,
      stdout: without.stdout.trim(),
    });
  }
});
