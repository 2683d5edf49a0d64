import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";

/** Puts links, pipes and endless files where the server keeps its own between two runs. */
const PLAY = `- hosts: localhost
  gather_facts: false
  roles: [greeter]
  tasks:
    - raw: |
        cd {{ data }}/galaxy/{{ project }} || exit
        for file in *.json; do ln -sf {{ data }}/secret.key "$file.new" || exit; done
        for folder in . {{ data }}/repositories/{{ project }}/*/; do
          rm -f "$folder/lock"
          mkfifo "$folder/lock" || exit
        done
        for file in {{ data }}/repositories/{{ project }}/*/current; do
          truncate -s 3G "$file" || exit
        done
        truncate -s 3G {{ data }}/known_hosts/{{ project }}
`;

Deno.test("the files of a run harm neither the next run nor the server, with bwrap", async () => {
  await using project = await newRealProject({ env: { CALLBOARD_TASK_ISOLATION: "bwrap" } });
  const { dataDir, home, id } = project;
  const role = await newGitRepository(join(home, "role"));
  await role.commit({
    "tasks/main.yml": "- debug: { msg: hello from the role }\n",
    "meta/main.yml": "galaxy_info: { author: a, description: d, license: MIT, " +
      "min_ansible_version: '2.14' }\ndependencies: []\n",
  }, "Role");
  const { repository_id } = await addPlays(project, {
    "site.yml": PLAY,
    "requirements.yml": `roles:\n  - { name: greeter, src: "${role.url}", scm: git }\n`,
  });
  const template = await project.makeTemplate({
    repository_id,
    environment_id: await project.make("environment", {
      name: "Paths",
      json: JSON.stringify({ data: dataDir, project: id }),
    }),
  });
  const key = await Deno.readTextFile(join(dataDir, "secret.key"));
  for (const force_galaxy_install of [false, true, true]) {
    const task = await project.startTask(template, { force_galaxy_install });
    const { task: { status }, log } = await project.ended(task, 60_000);
    assert.equal(status, "success", log);
    assert.match(log, /hello from the role/);
    assert.equal(await Deno.readTextFile(join(dataDir, "secret.key")), key);
  }
  assert.deepEqual(await project.get("known_hosts"), []);
});
