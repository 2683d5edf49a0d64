import assert from "node:assert/strict";
import { allOperations } from "@/lib/web/api/operations.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Events keep the names of their time. */
const IS_A_LOG = /\/events/;

/**
 * Returns the paths of everything that can be read in the project, with ids of existing objects.
 */
function readablePaths(ids: Record<string, number>): string[] {
  return allOperations
    .filter(({ method, path }) => method === "GET" && path.startsWith("/project/{projectId}"))
    .map(({ path }) => path.replace(/\{(\w+)\}/g, (whole, name) => String(ids[name] ?? whole)))
    .filter((path) => !path.includes("{") && !IS_A_LOG.test(path))
    .map((path) => `/api${path}`);
}

async function make(world: World, path: string, body: unknown, status = 201) {
  const answer = await world.api("alice", "POST", path, body);
  assert.equal(answer.status, status, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

Deno.test("a renamed object has its new name everywhere, in lists, in tasks and on pages", async () => {
  await using world = await newWorld();
  const { web, kv } = world;
  const project = `/api/project/${web.id}`;
  const read = async (path: string) => (await world.api("alice", "GET", path)).body;
  const model = await read(`${project}/templates/${web.templateId}`);
  const build = await make(world, `${project}/templates`, {
    ...model,
    id: 0,
    name: "Old build",
    type: "build",
    start_version: "1",
  });
  const deploy = await make(world, `${project}/templates`, {
    ...model,
    id: 0,
    name: "Old deploy",
    type: "deploy",
    build_template_id: build.id,
  });
  const { id: built } = await make(world, `${project}/tasks`, { template_id: build.id });
  const task = { id: built, project_id: web.id };
  for (const status of ["starting", "running", "success"] as const) await advance(kv, task, status);
  const { id: taskId } = await make(world, `${project}/tasks`, { template_id: deploy.id });
  await make(world, `${project}/tasks/${taskId}/stop`, {}, 204);
  const schedule = { template_id: deploy.id, cron_format: "0 3 * * *", name: "Old schedule" };
  const { id: scheduleId } = await make(world, `${project}/schedules`, schedule);
  const push = { name: "Old integration", template_id: deploy.id };
  const { id: integrationId } = await make(world, `${project}/integrations`, push);
  const { id: viewId } = await make(world, `${project}/views`, { title: "Old view" });

  const paths: [string, string][] = [
    ["", "name"],
    [`/templates/${build.id}`, "name"],
    [`/templates/${deploy.id}`, "name"],
    [`/schedules/${scheduleId}`, "name"],
    [`/integrations/${integrationId}`, "name"],
    [`/views/${viewId}`, "title"],
    [`/inventory/${web.inventoryId}`, "name"],
    [`/repositories/${web.repositoryId}`, "name"],
    [`/environment/${web.environmentId}`, "name"],
    [`/keys/${web.keyId}`, "name"],
  ];
  const old: string[] = [];
  for (const [below, field] of paths) {
    const row = await read(project + below);
    old.push(row[field]);
    const renamed = { ...row, [field]: `New ${row[field].slice(4)}` };
    const { status, body } = await world.api("alice", "PUT", project + below, renamed);
    assert.equal(status, 204, `${below}: ${JSON.stringify(body)}`);
  }
  const ids = {
    projectId: web.id,
    templateId: deploy.id,
    taskId,
    scheduleId,
    integrationId,
    viewId,
    inventoryId: web.inventoryId,
    repositoryId: web.repositoryId,
    environmentId: web.environmentId,
    keyId: web.keyId,
  };
  const readable = readablePaths(ids);
  assert.ok(readable.length > 25, readable.join("\n"));
  const shop = `/project/${web.id}`;
  const pages = [`${shop}/history`, `${shop}/templates`, `${shop}/templates/${deploy.id}`];
  const requests = [...readable, ...pages, `${shop}/tasks/${taskId}`, `${shop}/integrations`];
  for (const path of requests) {
    const response = await world.get("alice", path);
    const text = await response.text();
    for (const name of old) {
      assert.ok(!text.includes(name), `${path} says "${name}": ${text.slice(0, 1_000)}`);
    }
  }
});
