import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "../support/git_repository.ts";
import { newRealProject } from "../support/real_project.ts";

/** What a process must not get before the play's own does: Deno and shells would stumble. */
const VARIABLES = {
  LD_LIBRARY_PATH: "/opt/oracle/lib:/opt/it's here",
  LD_BIND_NOW: "1",
  DYLD_LIBRARY_PATH: "/opt/lib",
  ld_lower: "x",
  DENO_DIR: "/opt/deno",
  ENV: "/opt/env",
  BASH_ENV: "/opt/env",
  PATH: "/opt/oracle/bin:/usr/bin:/bin",
};
const SECRET = { LD_RUN_PATH: "$(id) `id` the secret" };

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - assert:
        that: lookup('env', item.key) == item.value
      loop: "{{ expected | dict2items }}"
      no_log: true
    - command: printenv LD_LIBRARY_PATH
      register: printed
    - debug: { var: printed.stdout }
    - debug: { msg: "{{ answer }}" }
    - debug: { msg: "{{ lookup('env', 'answer_env') }}" }
`;

Deno.test("variables and answers reach the play as they were typed, and nothing else", async () => {
  await using project = await newRealProject();
  const git = await newGitRepository(join(project.home, "git"));
  await git.commit({ "site.yml": PLAY }, "Look around");
  const repository_id = await project.make("repositories", {
    name: "Git",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  const environment_id = await project.make("environment", {
    name: "Oracle",
    json: JSON.stringify({ expected: { ...VARIABLES, ...SECRET } }),
    env: JSON.stringify(VARIABLES),
    secrets: Object.entries(SECRET).map(([name, secret]) => ({ type: "env", name, secret })),
  });
  const template = await project.makeTemplate({
    repository_id,
    environment_id,
    survey_vars: [
      { name: "answer", title: "Answer" },
      { name: "answer_env", title: "Answer", target: "env" },
    ],
  });
  const jinja = "{{ lookup('pipe', 'echo ran') }}";
  const { task, log } = await project.run(template, {
    environment: JSON.stringify({ answer: jinja, answer_env: jinja }),
  });
  assert.equal(task.status, "success", log);
  assert.ok(log.includes("/opt/oracle/lib:/opt/it's here"), log);
  assert.doesNotMatch(log, /"ran"/);
});
