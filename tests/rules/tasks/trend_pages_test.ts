import assert from "node:assert/strict";
import { taskChanged } from "@/lib/tasks/changes.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function model(world: World): Promise<TaskRow> {
  const { api, web, deploy, kv } = world;
  const body = { template_id: deploy.id };
  const answer = await api("bob", "POST", `/api/project/${web.id}/tasks`, body);
  await advance(kv, { id: answer.body.id, project_id: web.id }, "stopped");
  return await getTaskRow(kv, web.id, answer.body.id);
}

const sectionOf = (html: string, id: string) =>
  new RegExp(`<section id="${id}".*?</section>`, "s").exec(html)?.[0] ?? null;
const hrefsOf = (html: string) =>
  [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href.replaceAll("&amp;", "&"));

Deno.test("the dashboard draws the runs of each day, and each bar leads to just those runs", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const task = await model(world);
  const open = async () => await htmlOf(await world.get("carol", `/project/${web.id}/history`));
  const run = (created: string, status: "success" | "error") => ({ created, status });
  await writeHistory(kv, task, [run("2024-04-20T10:00:00.000Z", "success")]);
  assert.equal(sectionOf(await open(), "overview-trend"), null, "two runs are no course");
  await writeHistory(kv, task, [
    run("2024-04-30T23:59:59.999Z", "success"),
    ...Array(3).fill(run("2024-05-01T00:00:00.000Z", "error")),
    run("2024-05-01T23:59:00.000Z", "success"),
  ]);
  await kv.set(["tasks_wake"], 0);
  const section = sectionOf(await open(), "overview-trend")!;
  assert.match(section, /50% of 7 tasks succeeded/);
  const svg = /<svg class="bar-chart".*?<\/svg>/s.exec(section)![0];
  assert.match(svg, /aria-hidden="true"/);
  assert.match(svg, /<title[^>]*>May 1, 2024: 3 failed<\/title>/);
  const drawn = new Set(hrefsOf(svg));
  assert.equal(drawn.size, 5);
  const listed = hrefsOf(section.replace(svg, ""));
  assert.deepEqual([...drawn].filter((href) => !listed.includes(href)), []);
  const failed = [...drawn].find((href) =>
    /from=2024-05-01&to=2024-05-01&status=error/.test(href)
  )!;
  const list = await htmlOf(await world.get("carol", failed));
  assert.equal(list.match(/data-status="error"/g)?.length, 3);
  assert.match(list, /1–3 of 3|3 of 3/);
});

Deno.test("a template's page draws its last runs, and its stream brings the drawing as they end", async () => {
  await using world = await newWorld();
  const { kv, web, deploy, clock } = world;
  const task = await model(world);
  const path = `/project/${web.id}/templates/${deploy.id}`;
  const open = async () => sectionOf(await htmlOf(await world.get("carol", path)), "runs-trend");
  assert.equal(await open(), '<section id="runs-trend" class="trend"></section>');
  const start = "2024-05-01T10:00:00.000Z";
  const took = (seconds: number, status: TaskRow["status"] = "success") => ({
    start,
    end: new Date(Date.parse(start) + seconds * 1000).toISOString(),
    status,
  });
  await writeHistory(kv, task, Array(4).fill(took(60)));
  await kv.set(["tasks_wake"], 0);
  const few = (await open())!;
  assert.match(few, /<rect [^>]*x="1%"/, "few bars start at the left");
  assert.match(few, /<text x="40%"[^>]*text-anchor="end">#5<\/text>/);
  await writeHistory(kv, task, [...Array(35).fill(took(60)), took(3, "error"), took(120)]);
  const { body } = await world.api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  await advance(kv, { id: body.id, project_id: web.id }, "starting", {
    start: clock.now().toISOString(),
  });
  const section = (await open())!;
  assert.match(section, /The last 30 tasks/);
  assert.match(section, /97% succeeded/);
  const svg = /<svg class="bar-chart".*?<\/svg>/s.exec(section)![0];
  assert.equal(hrefsOf(svg).length, 30);
  assert.match(svg, new RegExp(`href="${path}\\?t=${body.id}"[^>]*data-over`));
  assert.match(svg, /Failed, 3s/);
  assert.match(section, /1 not finished/);
  assert.match(section, new RegExp(`<text x="100%"[^>]*>#${body.id}</text>`));

  const stream = readStream((await world.get("carol", `${path}/events`)).body!);
  // Without the version of a page, its first message asks to reload. The next ones are changes.
  await stream.until(/event: stale/);
  const end = { end: clock.now().toISOString() };
  taskChanged(world.deps, await advance(kv, { id: body.id, project_id: web.id }, "error", end));
  assert.match(await stream.until(/runs-trend[^]*\n\n/), /93% succeeded/);
  await stream.cancel();
});
