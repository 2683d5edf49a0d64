import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { isolatedProject, ISOLATION_MODES } from "@/tests/support/programs/isolation_modes.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";

const PASSWORD = "lookup('password', playbook_dir ~ '/credentials/db length=12 chars=digits')";
const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - debug:
        msg: "password {{ ${PASSWORD} }} and {{ lookup('file', playbook_dir ~ '/credentials/readme') }}"
    - raw: ln -s /etc "{{ playbook_dir }}/credentials/link"; mkdir -p "{{ playbook_dir }}/other/deep"; date >"{{ playbook_dir }}/other/deep/new"
    - raw: cd "{{ playbook_dir }}" && {{ does }}
      when: does is defined
    - fail:
      when: fails | default(false)
`;

async function addTemplates(project: RealProject) {
  const { home, make, makeTemplate, noKey } = project;
  const git = await newGitRepository(join(home, crypto.randomUUID()));
  await git.commit({ "site.yml": PLAY, "credentials/readme": "the first commit" }, "Play");
  const repository_id = await make("repositories", {
    name: "Play",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: noKey,
  });
  const kept = { name: "Keeps", repository_id, keep_paths: "credentials\nnone" };
  return {
    git,
    kept,
    keeping: await makeTemplate(kept),
    other: await makeTemplate({ ...kept, name: "Other", keep_paths: "" }),
  };
}

/** Runs a template, and returns the password that its play has read or generated. */
async function passwordOf(project: RealProject, template: number, input = {}) {
  const { task, log } = await project.run(template, { environment: JSON.stringify(input) });
  const [, password, commit] = /password (\d{12}) and ([\w ]+)/.exec(log) ?? [];
  assert.ok(password, log);
  return { password, commit, status: task.status, log };
}

for (const isolation of ISOLATION_MODES) {
  Deno.test({
    name: `generated passwords stay from run to run, also if it fails: ${isolation.name}`,
    ignore: isolation.ignore,
    async fn() {
      await using project = await isolatedProject(isolation);
      const { git, kept, keeping, other } = await addTemplates(project);
      const first = await passwordOf(project, keeping, { fails: true });
      assert.equal(first.status, "error");
      assert.match(first.log, /New files in the checkout are removed with it: other\//);
      await git.commit({ "credentials/readme": "the second commit" }, "Changed");
      const second = await passwordOf(project, keeping);
      assert.equal(second.status, "success", second.log);
      assert.equal(second.password, first.password);
      // Files of the commit win.
      assert.equal(second.commit, "the second commit");
      assert.notEqual((await passwordOf(project, other)).password, first.password);

      await project.change("templates", keeping, {
        ...await project.get(`templates/${keeping}`),
        ...kept,
        keep_paths: "",
      });
      assert.notEqual((await passwordOf(project, keeping)).password, first.password);
    },
  });
}

Deno.test("files that a play removes are gone, and a huge one replaces nothing", async () => {
  await using project = await addRealProject();
  const { keeping } = await addTemplates(project);
  const first = await passwordOf(project, keeping);
  const startedAt = performance.now();
  const huge = await passwordOf(project, keeping, { does: "truncate -s 1T credentials/huge" });
  assert.match(huge.log, /The files of the template are not kept: they are larger than 8 MB/);
  assert.ok(performance.now() - startedAt < 25_000);
  const removing = await passwordOf(project, keeping, { does: "rm -r credentials" });
  assert.equal(removing.password, first.password);
  assert.notEqual((await passwordOf(project, keeping)).password, first.password);
});
