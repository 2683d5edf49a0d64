import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { ISOLATION_CASES } from "../support/isolation_modes.ts";
import { hostsOf } from "../support/many_plays.ts";
import { addInventory, addPlays } from "../support/real_plays.ts";
import { newRealProject, type RealProject } from "../support/real_project.ts";
import { until } from "../support/until.ts";

async function newTemplate(project: RealProject, playbook: string) {
  const { repository_id } = await addPlays(project, playbook);
  const inventory_id = await addInventory(project, hostsOf("web", "db"));
  return await project.makeTemplate({ repository_id, inventory_id });
}

interface Host {
  name: string;
  ok: number;
  changed: number;
  failed: number;
}

for (const { name, options, ignore } of ISOLATION_CASES) {
  Deno.test({
    name: `what happened on each host is told to the server, tasks kept in by: ${name}`,
    ignore,
    async fn() {
      await using project = await newRealProject(options);
      const template = await newTemplate(
        project,
        `- hosts: all
  gather_facts: false
  tasks:
    - command: "true"
    - fail: { msg: as told }
      when: inventory_hostname == "db"
`,
      );
      const { task, log } = await project.run(template);
      assert.equal(task.end_reason, "db: fail: as told", log);
      assert.match(log, /Of \d+ hosts, 1 failed/);
      const hosts: Host[] = await project.get(`tasks/${task.id}/hosts`);
      const told = hosts.map(({ name, ok, changed, failed }) => [name, ok, changed, failed]);
      assert.deepEqual(told.toSorted(), [["db", 1, 1, 1], ["web", 1, 1, 0]], log);
      const [failed] = await project.get(`tasks/${task.id}/results?status=failed`);
      assert.equal(failed.message, "as told");
      const lines = stripVTControlCharacters(log).split("\n");
      const printed = lines.slice(failed.line - 1, failed.last_line);
      assert.match(printed.at(-1)!, /^fatal: \[db\]: FAILED! =>/);
      assert.equal(
        task.failure_line,
        failed.line + printed.findIndex((line) => /^fatal/.test(line)),
      );
      assert.ok(printed.every((line) => !/^(TASK|PLAY|ok|changed|skipping)/.test(line)));
    },
  });
}

Deno.test("stored results of a run stay when its server is killed, and nothing follows", async () => {
  await using project = await newRealProject();
  const template = await newTemplate(
    project,
    `- hosts: all
  gather_facts: false
  tasks:
    - command: "true"
    - command: sleep 600
`,
  );
  const id = await project.startTask(template);
  const results = () => project.get(`tasks/${id}/results`);
  await until(async () => (await results()).length === 2, 30_000);
  const before = await results();
  await project.restart("SIGKILL");
  const { task, log } = await project.ended(id);
  assert.equal(task.status, "error", log);
  assert.deepEqual(await results(), before);
  const [play] = await project.get(`tasks/${id}/plays`);
  assert.deepEqual(play.tasks.map(({ counts }: { counts: unknown }) => counts), [
    { changed: 2 },
    {},
  ]);
});
