import assert from "node:assert/strict";
import { askAnsible } from "@/tests/support/programs/ansible_python.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { conceal } from "@/lib/base/secret.ts";
import { pinningVariables } from "@/lib/execution/ansible/inventory/pinned_keys.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";

const VARIABLES = ["COMMON", "EXTRA"].map((name) => `ANSIBLE_SSH_${name}_ARGS`);
const PINNED = /'UserKnownHostsFile="\/known hosts\/1"'.*accept-new/;

const base = await anyPlan();

async function anyPlan() {
  await using bench = await newRunBench();
  return bench.plan();
}

/** Returns the arguments for ssh that a run gets, common ones first. */
function argumentsOf(changes: Partial<AnsiblePlan>, cfg = "", keyRules?: string): string[] {
  const variables = pinningVariables({ ...base, ...changes }, {
    config: { folder: "/checkout", lines: cfg.split("\n") },
    knownHosts: "/known hosts/1",
    hostAuthorities: null,
    keyRules,
  });
  return VARIABLES.map((name) => variables[name] === undefined ? "" : revealed(variables[name]));
}

const pins = (changes: Partial<AnsiblePlan>, cfg?: string) =>
  argumentsOf(changes, cfg).every((text) => PINNED.test(text));

const onlyFor = (content: string): Partial<AnsiblePlan> => ({
  inventory: { ...base.inventory, content },
});

Deno.test("host_key_checking means here what it means to Ansible", async () => {
  const values = ["True", "true", " YES ", "on", "1", "t", "y", "False", "no", "0", "off", "", "x"];
  const cases: [string, Record<string, string>][] = [
    ["", {}],
    ...values.flatMap((value): [string, Record<string, string>][] => [
      [`[defaults]\nhost_key_checking = ${value}`, {}],
      [`[ssh_connection]\nHOST_KEY_CHECKING: ${value} ; as it was`, {}],
      ["", { ANSIBLE_HOST_KEY_CHECKING: value }],
      ["[defaults]\nhost_key_checking=0", { ANSIBLE_SSH_HOST_KEY_CHECKING: value }],
    ]),
    ["[defaults]\nhost_key_checking=0\n[ssh_connection]\nhost_key_checking=1", {}],
    ["[other]\nhost_key_checking = False", {}],
    ["[defaults]\n# host_key_checking = False", {}],
    ["", { ANSIBLE_HOST_KEY_CHECKING: "0", ANSIBLE_SSH_HOST_KEY_CHECKING: "1" }],
  ];
  const script = `import json, os, sys, tempfile
from ansible import constants
from ansible.plugins.loader import connection_loader
connection_loader.get("ssh", class_only=True)
answers = []
for n, (text, env) in enumerate(json.load(sys.stdin)):
    for name in ("ANSIBLE_HOST_KEY_CHECKING", "ANSIBLE_SSH_HOST_KEY_CHECKING"):
        os.environ.pop(name, None)
    os.environ.update(env)
    with tempfile.NamedTemporaryFile("w", suffix="%s.cfg" % n) as file:
        file.write(text)
        file.flush()
        answers.append(constants.config.get_config_value("host_key_checking", cfile=file.name,
            plugin_type="connection", plugin_name="ssh"))
print(json.dumps(answers))`;
  const expected = await askAnsible<boolean[]>(script, cases);
  assert.deepEqual(cases.map(([cfg, env]) => pins({ env }, cfg)), expected);
  assert.ok(expected.includes(true) && expected.includes(false));
});

Deno.test("only arguments about host keys replace the pinned ones, and others stay beside them", () => {
  const kept = "-o ServerAliveInterval=5 -o ProxyJump=gate";
  for (const name of ["ssh_args", "ssh_common_args", "ssh_extra_args"]) {
    const variable = `ANSIBLE_${name.toUpperCase()}`;
    const ways = (text: string): [Partial<AnsiblePlan>, string?][] => [
      [{}, `[ssh_connection]\n${name} = ${text}`],
      [{ env: { [variable]: text } }],
      [{ secretEnv: { [variable]: conceal(text) } }],
      [{ extraVars: { [`ansible_${name}`]: text } }],
      [{ arguments: [`--${name.replaceAll("_", "-")}`, text] }],
    ];
    for (const [changes, cfg] of ways(kept)) assert.ok(pins(changes, cfg), name);
    for (
      const own of [
        "-o StrictHostKeyChecking=no",
        '-o "stricthostkeychecking off"',
        "-o UserKnownHostsFile=./known_hosts",
      ]
    ) {
      for (const [changes, cfg] of ways(`-C ${own}`)) {
        assert.deepEqual(argumentsOf(changes, cfg), ["", ""], `${name} ${own}`);
      }
    }
  }
  const common = { ANSIBLE_SSH_COMMON_ARGS: kept };
  assert.ok(argumentsOf({ env: common })[0].startsWith(`${kept} -o 'User`));
  assert.ok(
    pins({ env: common }, "[ssh_connection]\nssh_common_args = -o StrictHostKeyChecking=no"),
  );
  assert.ok(pins({ env: { ANSIBLE_CONFIG: "other.cfg" } }));
  assert.ok(pins({ arguments: ["--forks=5"] }, "[ssh_connection]\nssh_args = -F ssh.cfg"));
  assert.ok(!pins({ extraVars: { ansible_host_key_checking: false } }));
});

Deno.test("arguments of single hosts in an inventory win over the pinned keys", () => {
  const host = (args: string) => `web1 ansible_ssh_extra_args='${args}'`;
  const [common, extra] = argumentsOf(onlyFor(host("-o StrictHostKeyChecking=no")));
  assert.equal(common, "");
  assert.match(extra, PINNED);
  assert.ok(pins(onlyFor(host("-o ForwardAgent=yes"))));
});

Deno.test("a host whose arguments replace those of its keys is offered none, whatever is pinned", () => {
  const cfg = "[defaults]\nhost_key_checking = False\n[ssh_connection]\nssh_common_args = -C";
  assert.deepEqual(argumentsOf({}, cfg, "/rules"), ["-C -o 'IdentitiesOnly=yes'", ""]);
  assert.match(argumentsOf({}, "", "/rules")[0], /accept-new.*IdentitiesOnly=yes/);
});
