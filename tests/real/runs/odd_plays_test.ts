import assert from "node:assert/strict";
import { join } from "node:path";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";

/** Creates a template of a repository with these files. */
async function newTemplate(
  project: RealProject,
  name: string,
  files: Record<string, string>,
  change: Record<string, unknown> = {},
): Promise<number> {
  const { repository_id } = await addPlays(project, files, name);
  return await project.makeTemplate({ name, repository_id, ...change });
}

const play = (task: string) => `- hosts: all\n  gather_facts: false\n  tasks:\n    - ${task}\n`;

const LOCALHOST =
  'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"';
const ASKING = `[defaults]
ask_pass = True
[privilege_escalation]
become_ask_pass = True
become_allow_same_user = True
`;
const BECOME_PASSWORD = "the become password";

/** Asks for a password as sudo does, even if the caller is root already. */
const SUDO = `while :; do
  case $1 in
    -p) printf %s "$2" >&2; shift 2 ;;
    -u) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
read -r password
[ "$password" = "${BECOME_PASSWORD}" ] && BEHIND=sudo exec "$@"
echo "Sorry, try again." >&2
exit 1
`;

Deno.test("plays that want a person, or no one, come to a clear end", async (t) => {
  await using project = await addRealProject();

  await t.step("an ansible.cfg that asks for passwords gets the key's", async () => {
    const login_password = { login: "root", password: BECOME_PASSWORD };
    const become_key_id = await project.make("keys", {
      name: "Become",
      type: "login_password",
      login_password,
    });
    const inventory_id = await project.make("inventory", {
      name: "Become",
      type: "static",
      inventory: `${LOCALHOST} ansible_become_exe="sh {{ playbook_dir }}/sudo"`,
      ssh_key_id: project.noKey,
      become_key_id,
    });
    const template = await newTemplate(project, "asks", {
      "site.yml": play(
        "command: printenv BEHIND\n      register: shown\n    - debug: { var: shown.stdout }",
      ).replace("tasks:", "become: true\n  tasks:"),
      "sudo": SUDO,
      "ansible.cfg": ASKING,
    }, { inventory_id });
    const { task, log } = await project.run(template);
    assert.equal(task.status, "success", log);
    assert.match(log, /"shown.stdout": "sudo"/);
    assert.doesNotMatch(log, /password/i);
  });

  await t.step("questions of a play are not waited for", async () => {
    const template = await newTemplate(project, "questions", {
      "site.yml": play("pause: { prompt: Go on }").replace(
        "tasks:",
        "vars_prompt:\n    - { name: who, prompt: Who }\n  tasks:",
      ),
    });
    const { task, log } = await project.run(template);
    assert.equal(task.status, "success", log);
    assert.match(log, /Not prompting as we are not in interactive mode/);
    assert.match(log, /Not waiting for response to prompt/);
  });

  await t.step("a limit that fits no host is reported as such", async () => {
    const template = await newTemplate(project, "limited", { "site.yml": play("ping:") }, {
      arguments: '["--limit","nobody"]',
    });
    const { task, log } = await project.run(template);
    assert.equal(task.status, "error", log);
    assert.match(task.end_reason, /No host of the inventory matched/);
  });

  await t.step(
    "an inventory that was deleted while a task waited is missed in a sentence",
    async () => {
      const inventory_id = await project.make("inventory", {
        name: "Short-lived",
        type: "static",
        inventory: LOCALHOST,
        ssh_key_id: project.noKey,
      });
      const template = await newTemplate(project, "deleted", {
        "site.yml": play('raw: until [ -e "{{ go }}" ]; do sleep 0.1; done'),
      }, { task_params: { allow_override_inventory: true } });
      const go = join(project.home, "go");
      const environment = JSON.stringify({ go });
      const first = await project.startTask(template, { environment });
      const second = await project.startTask(template, { environment, inventory_id });
      await project.remove("inventory", inventory_id);
      await Deno.writeTextFile(go, "");
      assert.equal((await project.ended(first)).task.status, "success");
      const { task } = await project.ended(second);
      assert.equal(task.status, "error");
      assert.match(task.end_reason, /The inventory of this task was deleted/);
    },
  );
});
