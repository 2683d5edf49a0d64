import assert from "node:assert/strict";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function model(world: World): Promise<TaskRow> {
  const { api, web, deploy, kv } = world;
  const body = { template_id: deploy.id };
  const { id } = (await api("bob", "POST", `/api/project/${web.id}/tasks`, body)).body;
  await advance(kv, { id, project_id: web.id }, "stopped");
  return await getTaskRow(kv, web.id, id);
}

const pathOf = ({ web, deploy }: World, query = "") =>
  `/project/${web.id}/templates/${deploy.id}/compare${query}`;

/** Returns the text of a part of the page, with a line for each row. */
function rowsOf(html: string, id: string): string[] {
  const [, part] = new RegExp(`<(?:section|details) id="${id}".*?>(.*?)</(?:section|details)>`, "s")
    .exec(html) ?? [];
  return [...part?.matchAll(/<tr>(.*?)<\/tr>/gs) ?? []].map(([, row]) =>
    row.replaceAll(/<[^>]*>/g, "|").replaceAll(/\|+/g, "|").replace(/^\|/, "")
  );
}

Deno.test("a failed run is shown beside the last good one before it, what differs first", async () => {
  await using world = await newWorld();
  const { kv } = world;
  const start = "2024-05-02T10:00:00.000Z";
  const good: Partial<TaskRow> = {
    status: "success",
    start,
    end: "2024-05-02T10:01:00.000Z",
    environment: '{"release":"v1","region":"eu"}',
    commit_hash: "a".repeat(40),
    ansible_version: "ansible-playbook [core 2.16.3]",
    limit: ["web"],
  };
  const [base, , run] = await writeHistory(kv, await model(world), [
    good,
    { ...good, status: "error" },
    {
      ...good,
      status: "error",
      end: "2024-05-02T10:02:05.000Z",
      end_reason: { key: "errors.run.internal" },
      environment: '{"release":"<b>v2</b>","region":"eu"}',
      ansible_version: "ansible-playbook [core 2.19.14]",
      has_secrets: true,
    },
    good,
  ]);
  const html = await htmlOf(await world.get("carol", pathOf(world, `?a=${run.id}`)));
  const different = rowsOf(html, "compare-different");
  assert.match(different[0], new RegExp(`#${run.id}\\|#${base.id}`));
  const [status, ...others] = different.slice(1);
  assert.equal(status, "Status|Failed|Success|");
  assert.ok(others.includes("Duration|2m 5s|1m|"), others.join("\n"));
  assert.ok(others.includes("Ansible|2.19.14|2.16.3|"));
  assert.ok(others.includes("Answer: release|&lt;b>v2&lt;/b>|v1|"), others.join("\n"));
  assert.ok(others.some((row) => row.startsWith("Secret answers") && row.endsWith("|Yes|—|")));
  const same = rowsOf(html, "compare-same");
  assert.ok(same.includes("Answer: region|eu|") && same.includes("Limit|web|"), same.join("\n"));
  assert.ok(!same.some((row) => others.includes(row)));
});

Deno.test("any two runs of a template are compared, and none of another one", async () => {
  await using world = await newWorld();
  const { kv, web, lab, deploy } = world;
  const task = await model(world);
  const alone = await htmlOf(await world.get("carol", pathOf(world, `?a=${task.id}`)));
  assert.match(alone, /No earlier task of this template succeeded/);
  const [older] = await writeHistory(kv, task, [{ status: "error" }]);
  const [foreign] = await writeHistory(kv, task, [{ template_id: deploy.id + 500 }]);
  const two = await htmlOf(await world.get("carol", pathOf(world, `?a=${task.id}&b=${older.id}`)));
  assert.match(two, /Status/);
  for (const query of [`?a=${foreign.id}`, `?a=${task.id}&b=${foreign.id}`, "?a=99999"]) {
    assert.equal((await world.get("carol", pathOf(world, query))).status, 404, query);
  }
  assert.equal((await world.get("dave", pathOf(world))).status, 404);
  const elsewhere = `/project/${lab.id}/templates/${deploy.id}/compare?a=${task.id}`;
  assert.equal((await world.get("dave", elsewhere)).status, 404);
  const wayFrom = async ({ id }: { id: number }) => {
    const over = `/project/${web.id}/templates/${deploy.id}?t=${id}`;
    const html = await htmlOf(await world.get("carol", over));
    return html.includes(`"${pathOf(world, `?a=${id}`)}">Compare with the last successful task`);
  };
  assert.ok(!await wayFrom(older), "no task succeeded before it");
  const [, later] = await writeHistory(kv, task, [{ status: "success" }, { status: "error" }]);
  assert.ok(await wayFrom(later));
});

Deno.test("changes of the template between the runs are listed, and those before and after are not", async () => {
  await using world = await newWorld();
  const { api, web, deploy, kv, clock } = world;
  const path = `/api/project/${web.id}/templates/${deploy.id}`;
  const { body } = await api("alice", "GET", path);
  const change = async (person: "alice" | "mike", description: string) => {
    const put = { ...body, description };
    assert.equal((await api(person, "PUT", path, put)).status, 204);
    clock.advance(60_000);
  };
  await change("alice", "before");
  const task = await model(world);
  const [base] = await writeHistory(kv, task, [{
    status: "success",
    created: clock.now().toISOString(),
  }]);
  clock.advance(1_000);
  await change("mike", "between");
  const [run] = await writeHistory(kv, task, [{
    status: "error",
    created: clock.now().toISOString(),
  }]);
  clock.advance(1_000);
  await change("alice", "after");
  const html = await htmlOf(await world.get("carol", pathOf(world, `?a=${run.id}&b=${base.id}`)));
  const [, changes] = /<section id="compare-changes".*?>(.*?)<\/section>/s.exec(html)!;
  assert.equal(changes.match(/changed it/g)?.length, 1);
  assert.match(changes, /mike changed it/i);
});

Deno.test("a schedule without a name is named by the sentence of its times", async () => {
  await using world = await newWorld();
  const started_by = { kind: "schedule" as const, name: "30 6 * * *" };
  const [base, run] = await writeHistory(world.kv, await model(world), [
    { status: "success" },
    { status: "error", started_by },
  ]);
  const html = await htmlOf(await world.get("carol", pathOf(world, `?a=${run.id}&b=${base.id}`)));
  const starter = rowsOf(html, "compare-different").find((row) => row.startsWith("Started by|"));
  assert.match(starter ?? "", /6:30 AM/);
  assert.doesNotMatch(starter ?? "", /30 6 \*/);
});

Deno.test("a task that repeats another one has one link that compares, with that one", async () => {
  await using world = await newWorld();
  const [base] = await writeHistory(world.kv, await model(world), [{ status: "error" }]);
  const [run] = await writeHistory(world.kv, await model(world), [
    { status: "success", retry_of: { task_id: base.id, hosts: 1, of: 2 } },
  ]);
  const html = await htmlOf(await world.get("carol", `/project/${world.web.id}/tasks/${run.id}`));
  const links = [...html.matchAll(/href="([^"]*\/compare\?[^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(links, [pathOf(world, `?a=${run.id}&amp;b=${base.id}`)]);
});
