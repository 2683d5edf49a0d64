import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";

const play = (more: string) => `- hosts: web\n  gather_facts: false\n${more}`;
const GOOD = play("  tasks:\n    - debug:\n");

/** Plays that end before an Ansible task has run, and the last error of all versions of Ansible. */
const PLAYS: Record<string, [text: string, reason: RegExp]> = {
  "role.yml": [
    play("  roles: [nosuchrole]\n"),
    /^role\.yml, line 3, column 11: the role 'nosuchrole' was not found in /,
  ],
  "syntax.yml": [
    play('  tasks:\n    - debug: {msg: "x"\n    - debug:\n'),
    /^syntax\.yml, line \d+, column \d+: (Syntax Error while loading YAML|YAML parsing failed)/,
  ],
  "header.yml": [
    GOOD.replace("web", '"{{ nosuch }}"'),
    /^header\.yml, line 1, column \d+: .*'nosuch' is undefined/,
  ],
  "module.yml": [play("  tasks:\n    - nosuch: {}\n"), /couldn't resolve module\/action 'nosuch'/],
  "vault.yml": [play("  vars_files: [secret.yml]\n  tasks:\n    - debug:\n"), /vault secrets/],
};

/** Encrypted with a password that the template does not have. */
const SECRET = `$ANSIBLE_VAULT;1.1;AES256
33363965326261303234346131386531633932323866613033363036646565353331303763636232
3338656165376130363437336362313832353534356234370a643332303566346566343462376261
32643939353861626265343965303366393639316637323561653266613263623236373465336537
6361366232396335380a346564666166616635343834613539326466353166383963366538323534
3666
`;

Deno.test("a task that ends before its first play gives the error of Ansible as its reason", async (t) => {
  await using project = await addRealProject();
  const inventory_id = await addInventory(project, hostsOf("web"));
  const texts = Object.fromEntries(Object.entries(PLAYS).map(([name, [text]]) => [name, text]));
  const { repository_id } = await addPlays(project, { ...texts, "secret.yml": SECRET });
  for (const [playbook, [, reason]] of Object.entries(PLAYS)) {
    await t.step(playbook, async () => {
      const body = { name: playbook, playbook, inventory_id, repository_id };
      const { task, log } = await project.run(await project.makeTemplate(body));
      assert.equal(task.status, "error", log);
      assert.match(task.end_reason, reason);
      assert.equal(task.reason.line, task.failure_line);
      assert.doesNotMatch(task.end_reason, /\[0;31m|checkout/);
      const line = stripVTControlCharacters(log).split("\n")[task.failure_line - 1];
      assert.match(line, /^(ERROR!|\[ERROR\]:) /);
    });
  }
});

/** Inventories that no version of Ansible can read, and what their reasons say. */
const INVENTORIES: [type: string, text: string, reason: RegExp][] = [
  [
    "static",
    "[web]\nweb1 ansible_connection=local nonsense\n",
    /^Ansible could not read the inventory inventory(:2)?: .*Expected key=value .* got: nonsense/,
  ],
  [
    "static-yaml",
    "web:\n  hosts: [\n",
    /^Ansible could not read the inventory inventory\.yml:\d+:\d+: (YAML parsing failed|Syntax Error)/,
  ],
];

Deno.test("an unreadable inventory is the reason of a task, in the words of Ansible", async () => {
  await using project = await addRealProject();
  const { repository_id } = await addPlays(project, { "site.yml": GOOD });
  for (const [type, text, reason] of INVENTORIES) {
    const inventory_id = await project.make("inventory", {
      ...{ name: type, type, inventory: text, ssh_key_id: project.noKey },
    });
    const body = { name: type, playbook: "site.yml", inventory_id, repository_id };
    const { task, log } = await project.run(await project.makeTemplate(body));
    assert.equal(task.status, "error", log);
    assert.match(task.end_reason, reason, log);
    assert.doesNotMatch(task.reason.message, /^Ansible could not read/);
    assert.match(task.reason.place?.file ?? task.reason.subject, /^inventory(\.yml)?$/);
    const lines = stripVTControlCharacters(log).split("\n").slice(task.failure_line - 1);
    assert.match(lines[0], /^\[WARNING\]: .*Failed to parse/, `${task.failure_line}: ${log}`);
    assert.equal(task.reason.line, task.failure_line);
    const words = (text: string) => text.replaceAll(/\s+/g, "");
    assert.ok(words(lines.join("")).includes(words(task.reason.message).slice(0, 20)), log);
  }
});
