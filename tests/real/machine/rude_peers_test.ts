import assert from "node:assert/strict";
import { join } from "node:path";
import { startReceiver } from "@/tests/support/services/alerting.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { newRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { startRudePeer } from "@/tests/support/services/rude_peer.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Starts of one project that fill the places of the server. */
const STARTS = 10;
/** More than the attempts that the server makes in parallel can take, with two for each. */
const TARGETS = 17;

const newStage = () =>
  newRealProject({
    ansible: (home) => installStandIn(join(home, "ansible")),
    env: {
      CALLBOARD_MAX_PARALLEL_TASKS: String(STARTS),
      CALLBOARD_DRAIN_SECONDS: "3",
      CALLBOARD_STOP_GRACE_SECONDS: "1",
    },
  });

/** Creates a template whose secret is in a storage at an address. */
async function templateWith(project: RealProject, url: string, repository_id: number) {
  const storage_id = await project.make("secret_storages", {
    name: `Vault ${url}`,
    type: "vault",
    params: { url, auth_method: "token" },
    secret: "hvs.token",
    allow_private: true,
  });
  const key = await project.make("keys", {
    name: `Vault password ${url}`,
    type: "login_password",
    source: { storage_id, path: "app", field: "" },
  });
  return await project.makeTemplate({
    name: `Secret ${url}`,
    repository_id,
    allow_parallel_tasks: true,
    vaults: [{ vault_key_id: key, name: "default" }],
  });
}

async function repositoryIn(project: RealProject): Promise<number> {
  const repository = await newGitRepository(join(project.home, "repository"));
  await repository.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  return await project.make("repositories", {
    name: "Playbooks",
    git_url: repository.url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
}

Deno.test("peers that switch the protocol or say nothing hold neither tasks, alerts nor the end", async () => {
  await using switching = startRudePeer("switches");
  await using silent = startRudePeer("silent");
  await using receiver = startReceiver();
  await using project = await newStage();
  const repository = await repositoryIn(project);
  const normal = await project.makeTemplate({ name: "Normal", repository_id: repository });
  const rude = await templateWith(project, switching.url, repository);
  const hanging = await templateWith(project, silent.url, repository);

  const tasks = await Promise.all(Array.from({ length: STARTS }, () => project.startTask(rude)));
  for (const task of tasks) {
    const { task: ended, log } = await project.ended(task, 30_000);
    assert.equal(ended.status, "error", log);
    assert.match(log, /\(101\)/);
  }
  const begun = performance.now();
  assert.equal((await project.run(normal)).task.status, "success");
  assert.ok(performance.now() - begun < 10_000);

  const target = (url: string, n: number) =>
    project.make("alert_targets", {
      name: `Target ${n}`,
      kind: "http",
      allow_private: true,
      settings: { url },
    });
  const rule = (target_id: number) =>
    project.make("alert_rules", {
      name: `Rule ${target_id}`,
      target_id,
      events: ["failed"],
      repeat: "each",
    });
  for (let n = 0; n < TARGETS; n++) await rule(await target(switching.url, n));
  await rule(await target(receiver.url, TARGETS));
  await project.ended(await project.startTask(rude), 30_000);
  await until(() => receiver.calls.length > 0, 20_000);

  const held = await Promise.all(Array.from({ length: 3 }, () => project.startTask(hanging)));
  await until(() => silent.open() >= 3, 30_000);
  const forced = performance.now();
  await project.stopTask(held[0], true);
  assert.equal((await project.ended(held[0], 10_000)).task.status, "stopped");
  assert.ok(performance.now() - forced < 8_000);
  const ending = performance.now();
  await project.restart("SIGTERM");
  assert.ok(performance.now() - ending < 25_000, `${performance.now() - ending} ms`);
  for (const task of held.slice(1)) {
    assert.equal((await project.ended(task, 30_000)).task.status, "error");
  }
  assert.doesNotMatch(project.printed(), /drain_cut|unexpected/);
});
