import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import type { World } from "./world.ts";

/** Creates a project with an object in every collection and returns its address. */
export async function fullProject(world: World): Promise<string> {
  const api = async (method: string, below: string, body?: unknown) => {
    const answer = await world.api("erin", method, below, body);
    assert.ok(answer.status < 300, `${below}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id } = await api("POST", "/api/projects", { name: "Full" });
  const project = `/api/project/${id}`;
  const [key] = await api("GET", `${project}/keys`);
  const [environment] = await api("GET", `${project}/environment`);
  const big = { name: "Big", json: JSON.stringify({ text: "x".repeat(100_000) }) };
  await api("POST", `${project}/environment`, big);
  const repository = await api("POST", `${project}/repositories`, {
    name: "R",
    git_url: "https://git.example.com/r.git",
    git_branch: "main",
    ssh_key_id: key.id,
  });
  const inventory = await api("POST", `${project}/inventory`, {
    name: "I",
    type: "static",
    inventory: "localhost",
    ssh_key_id: key.id,
  });
  const view = await api("POST", `${project}/views`, { title: "V", position: 0 });
  const template = await api("POST", `${project}/templates`, {
    name: "T",
    playbook: "t.yml",
    type: "build",
    start_version: "1",
    repository_id: repository.id,
    inventory_id: inventory.id,
    environment_id: environment.id,
    view_id: view.id,
  });
  await api("POST", `${project}/schedules`, {
    template_id: template.id,
    cron_format: "0 0 * * *",
    name: "S",
    active: true,
  });
  await api("POST", `${project}/users`, { user_id: world.people.bob.id, role: "task_runner" });
  const { id: taskId } = await api("POST", `${project}/tasks`, { template_id: template.id });
  await world.kv.set(rowKeys.taskLogChunk(taskId, 1), new Uint8Array(1000));
  await world.kv.set(rowKeys.alias("abcdefgh"), { project_id: id });
  await world.kv.set(rowKeys.projectAliases(id), [{ id: 1 }]);
  await world.kv.set(rowKeys.delivery(id, 1, 1), {});
  for (const folder of ["repositories", "known_hosts", "homes"]) {
    await Deno.mkdir(join(world.deps.config.dataDir, folder, String(id), "1"), { recursive: true });
  }
  return project;
}
