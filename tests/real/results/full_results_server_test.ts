import assert from "node:assert/strict";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { textsIn } from "@/tests/support/basics/texts_in.ts";
import { until } from "@/tests/support/basics/until.ts";

const SECRET = 'a "quoted" secret';
const PLAY = `- hosts: all
  gather_subset: [min]
  tasks:
    - command: "echo {{ pin | quote }}"
    - debug: { msg: "{{ {'deep': [pin]} }}" }
`;

async function newTemplate(project: RealProject, more: Record<string, unknown> = {}) {
  const { repository_id } = await addPlays(project, PLAY);
  const inventory_id = await addInventory(project, hostsOf("web"));
  const environment_id = await project.make("environment", {
    name: "Pins",
    json: "{}",
    secrets: [{ type: "var", name: "pin", secret: SECRET, operation: "create" }],
  });
  return await project.makeTemplate({ repository_id, inventory_id, environment_id, ...more });
}

/** Returns all packed texts in the store. */
async function storedTexts({ dataDir }: RealProject): Promise<string> {
  using kv = await Deno.openKv(`${dataDir}/callboard.kv`);
  const texts: string[] = [];
  for await (const { value } of kv.list({ prefix: [] })) texts.push(textsIn(value));
  return texts.join("\n");
}

Deno.test("a real run reports all answers of its modules and the facts of its hosts, masked", async () => {
  await using project = await addRealProject();
  const { task, log } = await project.run(await newTemplate(project));
  assert.equal(task.status, "success", log);
  const results = await project.get(`tasks/${task.id}/results?host=web`);
  const answers = [];
  for (const { id } of results) {
    answers.push((await project.get(`tasks/${task.id}/results/${id}`)).result);
  }
  const [gathered, said, deep] = answers;
  assert.equal(gathered.ansible_facts, undefined);
  assert.deepEqual([said.rc, said.stdout], [0, "***"]);
  assert.deepEqual(deep.msg, { deep: ["***"] });
  const factsOf = () => project.get("hosts/web/facts");
  await until(async () => (await factsOf()).task_id === task.id);
  assert.equal((await factsOf()).facts.ansible_system, "Linux");
  assert.equal((await factsOf()).facts.ansible_env, undefined);
  const again = await project.run(task.template_id);
  await until(async () => (await factsOf()).task_id === again.task.id);
  const { since_task_id, changes } = await factsOf();
  assert.equal(since_task_id, task.id);
  assert.deepEqual(changes, [], "nothing but time has changed");
  await project.restart("SIGTERM", async () => {
    const stored = await storedTexts(project);
    assert.match(stored, /"stdout":"\*\*\*"/);
    assert.doesNotMatch(stored, /quoted/);
  });
  assert.doesNotMatch(project.answers.join("\n"), /quoted/);
});

Deno.test("a template that wants no full results has none, nor facts", async () => {
  await using project = await addRealProject();
  const template = await newTemplate(project, { suppress_full_results: true });
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log);
  const [{ id }] = await project.get(`tasks/${task.id}/results`);
  assert.equal((await project.get(`tasks/${task.id}/results/${id}`)).result, null);
  await until(async () => (await project.get("hosts")).length === 1);
  assert.equal((await project.get("hosts/web/facts")).task_id, null);
});
