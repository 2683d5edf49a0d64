import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { askAnsible } from "@/tests/support/programs/ansible_python.ts";
import { limitsIn, readTaskArguments } from "@/lib/queue/inputs/arguments.ts";
import { OPTIONS } from "@/lib/queue/inputs/ansible_options.ts";

/** Parses words with Ansible's own parser. It prints the options by name, or null for an error. */
const PARSE = `
import contextlib, io, json, sys
from ansible.cli.playbook import PlaybookCLI
cli = PlaybookCLI(["ansible-playbook", "site.yml"])
cli.init_parser()
def parse(words):
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            return vars(cli.parser.parse_args(words + ["--", "site.yml"]))
    except SystemExit:
        return None
print(json.dumps([parse(words) for words in json.load(sys.stdin)]))
`;

const LIST_OPTIONS = `
import json
from ansible.cli.playbook import PlaybookCLI
cli = PlaybookCLI(["ansible-playbook", "site.yml"])
cli.init_parser()
print(json.dumps([
    [sorted(action.option_strings), action.nargs != 0]
    for action in cli.parser._actions if action.option_strings
]))
`;

type Parsed = Record<string, unknown> | null;
const parse = (all: string[][]) => askAnsible<Parsed[]>(PARSE, all);

/** Returns the parsed arguments; null if they are refused. */
function read(words: string[]) {
  try {
    return readTaskArguments(words);
  } catch {
    return null;
  }
}

Deno.test("the table has every option of the installed Ansible", async () => {
  const installed = await askAnsible<[string[], boolean][]>(LIST_OPTIONS, null);
  assert.ok(installed.length > 30);
  const isKnown = ([names, takesValue]: [string[], boolean]) =>
    OPTIONS.some((option) =>
      option.takesValue === takesValue && names.every((name) => option.names.includes(name))
    );
  assert.deepEqual(installed.filter((option) => !isKnown(option)), []);
});

const names = OPTIONS.flatMap((option) => option.names);
const part = fc.oneof(
  fc.constantFrom(...names),
  fc.tuple(fc.constantFrom(...names), fc.nat(12)).map(([name, end]) => name.slice(0, 2 + end)),
  fc.string({ unit: fc.constantFrom(..."CDvlteTfbkiMu=@x1"), maxLength: 4 }).map((s) => `-${s}`),
  fc.constantFrom("web", "5", "a=b", "@/etc/passwd", "-", "--", "", "-5", "site.yml", " x"),
);
const words = fc.array(
  fc.oneof(
    part,
    fc.tuple(part, part).map(([option, value]) => `${option}=${value}`),
    fc.tuple(part, part).map(([option, value]) => `${option} ${value}`),
  ),
  { maxLength: 4 },
);

/** Options of managers only, by Ansible's names, with their default values. */
const BEYOND = {
  args: ["site.yml"],
  inventory: null,
  connection: "ssh",
  private_key_file: null,
  ssh_common_args: null,
  ssh_extra_args: null,
  sftp_extra_args: null,
  scp_extra_args: null,
  become: false,
  remote_user: null,
  become_user: null,
  become_method: "sudo",
  become_password_file: null,
  connection_password_file: null,
  ask_pass: false,
  become_ask_pass: false,
  ask_vault_pass: false,
  vault_ids: [],
  vault_password_files: [],
  module_path: null,
  step: false,
  flush_cache: false,
};

Deno.test("arguments accepted from a task runner stay inside the task, in every spelling", async () => {
  const all = fc.sample(words, { numRuns: 20_000, seed: 7 });
  const taken = all.filter((words) => read(words) !== null);
  assert.ok(taken.length > 500 && all.length - taken.length > 500);
  const [raw, rewritten] = await Promise.all([
    parse(taken),
    parse(taken.map((words) => read(words)!.words)),
  ]);
  for (const [n, words] of taken.entries()) {
    const given = JSON.stringify(words);
    assert.ok(raw[n] && rewritten[n], given);
    const { extra_vars: _, ...rest } = raw[n];
    assert.deepEqual(rewritten[n], { ...rest, extra_vars: [] }, given);
    for (const [name, usual] of Object.entries(BEYOND)) {
      assert.deepEqual(raw[n][name], usual, `${given} ${name}`);
    }
  }
});

Deno.test("each option is accepted or refused in all its spellings", () => {
  for (const { names, takesValue, check } of OPTIONS) {
    const value = takesValue ? ["5"] : [];
    const name = names[0]!;
    const value_ = name === "--extra-vars" ? ["a=5"] : value;
    const spellings = names.flatMap((spelt) => [
      [spelt, ...value_],
      ...takesValue ? [[`${spelt}=${value_[0]}`]] : [],
      ...takesValue && !spelt.startsWith("--")
        ? [[`${spelt}${value_[0]}`], [`-C${spelt[1]}`, ...value_]]
        : [],
      ...!takesValue && !spelt.startsWith("--") ? [[`-v${spelt[1]}`]] : [],
    ]);
    for (const words of spellings) {
      assert.equal(read(words) !== null, check !== null, JSON.stringify(words));
    }
  }
});

Deno.test("the sentence names the refused option", () => {
  const told: [string[], string, Record<string, string>][] = [
    [["--become"], "errors.arguments.beyond", { option: "--become" }],
    [["-Cb"], "errors.arguments.beyond", { option: "--become" }],
    [["--inv", "x"], "errors.arguments.beyond", { option: "--inventory" }],
    [["--list"], "errors.arguments.unknown", { option: "--list" }],
    [["other.yml"], "errors.arguments.no_option", { word: "other.yml" }],
    [["--"], "errors.arguments.no_option", { word: "--" }],
    [["--limit x"], "errors.arguments.unknown", { option: "--limit x" }],
    [["-l"], "errors.arguments.no_value", { option: "--limit" }],
    [["-l", "@/etc/passwd"], "errors.limit_file", {}],
    [["-l@/etc/passwd"], "errors.limit_file", {}],
    [["-Cvl", "web:@x"], "errors.limit_file", {}],
    [["--lim=web,@x"], "errors.limit_file", {}],
    [["-f", "0"], "errors.arguments.number", {}],
    [["-e", "@/etc/passwd"], "errors.arguments.extra_vars_file", {}],
    [["-e", "/etc/passwd"], "errors.arguments.extra_vars", {}],
    [["-e", "{a: 1}"], "errors.arguments.extra_vars", {}],
    [["-e", '{"a":{"__ansible_vault":"x"}}'], "errors.arguments.extra_vars", {}],
    [["-e", "ansible_connection=local"], "errors.own_variable", {
      name: "ansible_connection",
    }],
    [["-e", 'a=1 "ansible_user"=x'], "errors.arguments.extra_vars", {}],
    [["-e", '{"\\u0061nsible_user":"x"}'], "errors.own_variable", {
      name: "ansible_user",
    }],
    [["-e", "inventory_hostname=x"], "errors.own_variable", {
      name: "inventory_hostname",
    }],
  ];
  for (const [words, key, params] of told) {
    assert.throws(() => readTaskArguments(words), (error: unknown) => {
      const { status, details } = error as { status: number; details: { fields: object } };
      assert.equal(status, 400);
      assert.deepEqual(details.fields, { arguments: { key, params } });
      return true;
    }, JSON.stringify(words));
  }
});

Deno.test("extra vars become plain values", () => {
  const { words, variables } = readTaskArguments([
    "-e",
    "release=1.2 name='two words'",
    '--extra-vars={"deep":{"n":[1,"{{ lookup(\'pipe\',\'id\') }}"]}}',
    "-vC",
  ]);
  assert.deepEqual(words, ["--verbose", "--check"]);
  assert.deepEqual(variables, {
    release: "1.2",
    name: "two words",
    deep: { n: [1, "{{ lookup('pipe','id') }}"] },
  });
});

Deno.test("limits are found behind words that are not options, too", () => {
  const found = (...words: string[]) => [...new Set(limitsIn(words))];
  assert.deepEqual(found("--limit=a", "-l", "b", "-lc", "-CDl", "d", "--lim", "e"), [..."abcde"]);
  assert.deepEqual(found("extra.yml", "--limit=,"), [","]);
  assert.deepEqual(found("--no-such-option", "x", "-l", ","), [","]);
  assert.deepEqual(found("--tags", "limit", "-C"), []);
});
