import assert from "node:assert/strict";
import { join } from "node:path";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { readAnswer } from "@/tests/support/world/world.ts";

/**
 * Variables that a process must not get before the play's own does, because Deno and shells would
 * fail.
 */
const VARIABLES = {
  LD_LIBRARY_PATH: "/opt/oracle/lib:/opt/it's here",
  LD_BIND_NOW: "1",
  DYLD_LIBRARY_PATH: "/opt/lib",
  ld_lower: "x",
  DENO_DIR: "/opt/deno",
  ENV: "/opt/env",
  BASH_ENV: "/opt/env",
  PATH: "/opt/oracle/bin:/usr/bin:/bin",
  "homelab-ca-crt": "-----BEGIN CERTIFICATE-----\nit's $(id)\n",
  "LD_NO-NAME": "x",
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
  await using project = await addRealProject();
  const { repository_id } = await addPlays(project, PLAY);
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
      { name: "answer", title: "Response" },
      { name: "answer_env", title: "Response", target: "env" },
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

const TELLING_PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - debug: { msg: "{{ answer | default('') }} {{ own | default('') }} {{ too | default('') }}" }
    - debug: { msg: "{{ lookup('env', 'answer_env') }} {{ callboard_vars.task_details.message }}" }
    - debug: { msg: begun }
      when: answer is defined
`;

Deno.test("whatever a task runner says, no file of the server is read for it", async () => {
  await using project = await addRealProject();
  const { repository_id } = await addPlays(project, TELLING_PLAY);
  const template_id = await project.makeTemplate({
    repository_id,
    allow_override_args_in_task: true,
    survey_vars: [
      { name: "answer", title: "Response" },
      { name: "answer_env", title: "Response", target: "env" },
    ],
    task_params: {
      allow_override_limit: true,
      allow_override_tags: true,
      allow_override_skip_tags: true,
      allow_override_branch: true,
    },
  });
  const bob = await signInRunner(project);
  const file = join(project.dataDir, "secret.key");
  const key = (await Deno.readTextFile(file)).trim();
  const jinja = `{{ lookup('file', '${file}') }}`;
  const args = (...words: string[]) => ({ arguments: JSON.stringify(words) });
  const attempts: [Record<string, unknown>, "refused" | "harmless" | "printed"][] = [
    [{ limit: [`@${file}`] }, "refused"],
    [{ limit: ["all", `@${file}`] }, "refused"],
    [{ limit: [`all]@${file}`] }, "refused"],
    [args("--limit", `@${file}`), "refused"],
    [args(`-Cl@${file}`), "refused"],
    [args("-e", `@${file}`), "refused"],
    [args("-i", file), "refused"],
    [args("--vault-id", `x@${file}`), "refused"],
    [args(file), "refused"],
    [{ git_branch: `../../../../../../..${file}` }, "refused"],
    [{ environment: JSON.stringify({ own: jinja }) }, "refused"],
    [{ playbook: file }, "refused"],
    [{
      ...args("-e", JSON.stringify({ own: jinja }), "-e", `too="${jinja.replaceAll("'", "\\'")}"`),
      environment: JSON.stringify({ answer: jinja, answer_env: jinja }),
      message: jinja,
    }, "printed"],
    [{ tags: [`@${file}`], skip_tags: [jinja] }, "harmless"],
    [args("--start-at-task", `@${file}`), "harmless"],
  ];
  for (const [sent, expected] of attempts) {
    const { status, body } = await bob("tasks", { template_id, ...sent });
    const told = JSON.stringify([sent, body]);
    assert.equal(status, expected === "refused" ? 400 : 201, told);
    if (status === 400) continue;
    const { log } = await project.ended(body.id);
    assert.match(log, /Running the playbook/);
    assert.ok(!log.includes(key), `${told}\n${log}`);
    if (expected === "printed") assert.equal(log.match(/lookup\(/g)?.length, 5, log);
  }
});

/** Returns a caller of the project's API who may run its tasks, and nothing else. */
async function signInRunner({ id, server }: RealProject) {
  const [username, password] = ["bob", "only for tests"];
  const user = { name: "Bob", username, email: "bob@example.com", password };
  const made = await server.api("POST", "/api/users", user);
  await server.api("POST", `/api/project/${id}/users`, {
    user_id: made.body.id,
    role: "task_runner",
  });
  const headers = { "Content-Type": "application/json" };
  const post = (path: string, body: object, more: HeadersInit = {}) =>
    fetch(new URL(path, server.url), {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const signedIn = await post("/api/auth/login", { auth: username, password });
  await signedIn.body?.cancel();
  const Cookie = signedIn.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  return async (path: string, body: object) =>
    await readAnswer(await post(`/api/project/${id}/${path}`, body, { Cookie }));
}
