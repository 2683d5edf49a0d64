import assert from "node:assert/strict";
import { join } from "node:path";
import type { WholeRunView } from "@/lib/workflows/run_schema.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { pauseSince } from "@/tests/support/basics/until.ts";

const HEAD = "- hosts: all\n  gather_facts: false\n  tasks:\n";

/** Writes the answers into the folder that a test looks into, and reports values. */
const PLAYS = {
  "build.yml": `${HEAD}
    - set_stats:
        data:
          version: "1.4.{{ 1 + 1 }}"
          evil: "{{ poison }}"
          note: "made with {{ pin }}"
`,
  "deploy.yml": `${HEAD}
    - lineinfile:
        path: "{{ folder }}/{{ inventory_hostname }}"
        line: "{{ version }} {{ evil }} {{ note }}"
        create: true
    - fail: { msg: "The second wave fails" }
      when: inventory_hostname == broken
`,
  "rollback.yml": `${HEAD}
    - raw: rm {{ folder }}/{{ inventory_hostname }}
`,
};

const POISON = "{{ lookup('pipe','id') }}";
const LIMIT_MS = 180_000;

const question = (name: string, fields = {}) => ({ name, title: name, ...fields });

async function makeStage(project: RealProject) {
  const folder = join(project.home, "hosts");
  await Deno.mkdir(folder);
  const { url, commit } = await newGitRepository(join(project.home, "git"));
  await commit(PLAYS, "Plays");
  const repository_id = await project.make("repositories", {
    name: "Shop",
    git_url: url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  const hosts = ["web1", "web2"].map((name) =>
    `${name} ansible_connection=local ansible_python_interpreter={{ansible_playbook_python}}\n`
  );
  const inventory_id = await project.make("inventory", {
    name: "Production",
    type: "static",
    inventory: hosts.join(""),
    ssh_key_id: project.noKey,
  });
  const template = (name: string, playbook: string, fields = {}) =>
    project.makeTemplate({ name, playbook, repository_id, ...fields });
  const build = await template("Build", "build.yml", {
    survey_vars: [question("poison"), question("pin", { type: "secret" })],
  });
  const deployed = ["folder", "version", "evil", "note", "broken"].map((name) => question(name));
  const allowed = { inventory_id, task_params: { allow_override_limit: true } };
  const deploy = await template("Deploy", "deploy.yml", { ...allowed, survey_vars: deployed });
  const rollback = await template("Roll back", "rollback.yml", {
    inventory_id,
    survey_vars: [question("folder")],
  });
  const reported = ["version", "evil", "note"].map((name) => ({
    var: name,
    from: { step: -1, name },
  }));
  const wave = (id: number, limit: string) => ({
    id,
    kind: "template",
    template_id: deploy,
    name: `Deploy ${limit}`,
    params: { limit, environment: { folder } },
    values: [...reported, { var: "broken", from: { answer: "broken" } }],
  });
  const workflowId = await project.make("workflows", {
    name: "Release",
    survey_vars: [question("broken"), question("poison"), question("pin", { type: "secret" })],
    steps: [
      {
        id: -1,
        kind: "template",
        template_id: build,
        values: ["poison", "pin"].map((name) => ({ var: name, from: { answer: name } })),
      },
      { id: -2, kind: "approval", name: "Go", approval: { message: "Deploy ${1.version}?" } },
      wave(-3, "web1"),
      wave(-4, "web2"),
      {
        kind: "template",
        template_id: rollback,
        params: { environment: { folder } },
        after: [{ step: -3, when: "failure" }, { step: -4, when: "failure" }],
        join: "any",
      },
    ],
  });
  return { folder, workflowId };
}

async function untilRun(
  project: RealProject,
  path: string,
  isReached: (run: WholeRunView) => boolean,
): Promise<WholeRunView> {
  const startedAt = performance.now();
  for (;;) {
    const run: WholeRunView = await project.get(path);
    if (isReached(run)) return run;
    assert.ok(performance.now() - startedAt < LIMIT_MS, JSON.stringify(run));
    await pauseSince(startedAt, 50, 500);
  }
}

/** Runs the workflow. `whileWaiting` is done before the approval. */
async function release(
  project: RealProject,
  workflowId: number,
  broken: string,
  whileWaiting = () => Promise.resolve(),
) {
  const runId = await project.make(`workflows/${workflowId}/run`, {
    environment: { broken, poison: POISON },
    secret: { pin: "very-secret-pin" },
  });
  const path = `workflows/${workflowId}/runs/${runId}`;
  const waiting = await untilRun(project, path, ({ status }) => status === "approval");
  assert.equal(waiting.steps[1].approval?.message, "Deploy 1.4.2?");
  await whileWaiting();
  const base = `/api/project/${project.id}/${path}`;
  const vote = { status: "approved", note: "Go" };
  const { status } = await project.server.api("POST", `${base}/approvals/2`, vote);
  assert.equal(status, 200);
  const ended = await untilRun(project, path, ({ end }) => end !== null);
  return { ended, path };
}

const statesOf = ({ steps }: WholeRunView) => steps.map(({ state }) => state);

Deno.test("a release builds, asks, deploys in two waves with the build's values, and rolls back on failure", async () => {
  await using project = await addRealProject();
  const { folder, workflowId } = await makeStage(project);
  // The run waits in the store, whichever server asks for the vote.
  const restart = () => project.restart("SIGKILL");
  const good = await release(project, workflowId, "none", restart);
  assert.deepEqual(
    statesOf(good.ended),
    ["success", "success", "success", "success", "skipped"],
    JSON.stringify(good.ended.steps),
  );
  assert.equal(good.ended.status, "success");
  // A value is text: neither the build nor the deploy has looked up what it says.
  for (const host of ["web1", "web2"]) {
    assert.equal(
      await Deno.readTextFile(join(folder, host)),
      `1.4.2 ${POISON} made with ***\n`,
    );
  }
  const values = await project.get(`${good.path}/artifacts`);
  assert.deepEqual(values, {
    "1": { version: "1.4.2", evil: POISON, note: "made with ***" },
  });
  const bad = await release(project, workflowId, "web2");
  assert.deepEqual(
    statesOf(bad.ended),
    ["success", "success", "success", "failed", "success"],
    JSON.stringify(bad.ended.steps),
  );
  assert.equal(bad.ended.status, "success", "the failure was handled");
  assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  assert.ok(!project.answers.join().includes("very-secret-pin"));
  assert.ok(!project.printed().includes("very-secret-pin"));
});
