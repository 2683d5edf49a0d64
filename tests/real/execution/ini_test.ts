import assert from "node:assert/strict";
import { askAnsible } from "@/tests/support/programs/ansible_python.ts";
import { iniSetting } from "@/lib/execution/ansible/inventory/ini.ts";

const FILES = [
  "[defaults]\ncallback_plugins = ./a:./b\n",
  "[other]\ncallback_plugins=no\n[defaults]\nCallback_Plugins : yes ; a comment\n",
  "[defaults]\ncallback_plugins = ./a:\n  ./b ; more\n# comment\n  ./c\nhome=~/x\n",
  "[defaults]\nhome = a=b:c\ncallback_plugins=;nothing\n",
  "  [defaults]\n  callback_plugins = a\n  home = b\n",
  "[defaults]\nhome = x;y\ncallback_plugins =\n",
  "; callback_plugins = a\n[defaults]\n;callback_plugins = b\n#callback_plugins = c\n",
];

Deno.test("an ansible.cfg says here what it says to Ansible", async () => {
  const script = `import configparser, json, sys
answers = []
for text in json.load(sys.stdin):
    parser = configparser.ConfigParser(inline_comment_prefixes=(";",))
    parser.read_string(text)
    answers.append([parser.get("defaults", name, raw=True, fallback=None)
        for name in ("callback_plugins", "home")])
print(json.dumps(answers))`;
  const expected = await askAnsible<(string | null)[][]>(script, FILES);
  const found = FILES.map((text) =>
    ["callback_plugins", "home"].map((name) => iniSetting(text.split("\n"), "defaults", name))
  );
  assert.deepEqual(found, expected);
});
