import assert from "node:assert/strict";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Creates runs of the template, oldest first, that printed these lines. Returns their ids. */
async function printed(world: World, ...runs: string[][]): Promise<number[]> {
  const ids: number[] = [];
  for (const lines of runs) {
    const task = await loggedTask(world, 0);
    await task.print(...lines);
    await task.end();
    ids.push(task.id);
  }
  return ids;
}

const runIds = (html: string) => [...html.matchAll(/id="run-(\d+)"/g)].map(([, id]) => Number(id));

Deno.test("a template says which of its runs printed something, and since when", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const ids = await printed(
    world,
    ["fine"],
    ["ok", "\x1b[1;35m[WARNING]: <b>old</b> module\x1b[0m", "more", "[WARNING]: again"],
    ["fine"],
    ["fine"],
    ["[warning]: Old module"],
  );
  const path = `/project/${web.id}/templates/${deploy.id}/search`;
  const { body } = await world.api("carol", "GET", `/api${path}?q=${encodeURIComponent("[WARN")}`);
  assert.equal(body.searched, 5);
  assert.equal(body.before, null);
  assert.deepEqual(
    body.runs.map((run: Record<string, unknown>) => [run.task_id, run.found, run.line]),
    [[ids[4], 1, 1], [ids[1], 2, 2]],
  );
  assert.equal(body.runs[1].status, "success");

  const page = async (query: string) => await (await world.get("carol", path + query)).text();
  const html = await page("?q=%5BWARN");
  assert.deepEqual(runIds(html), [ids[4], ids[1]]);
  assert.match(html, /2 tasks did not print it<\/li><li id="run-/);
  assert.match(
    html,
    new RegExp(`href="[^"]*\\?t=${ids[1]}&amp;line=2"`),
    "the line is a click away",
  );
  assert.match(html, /\[WARN<\/mark>/, "what was found is marked");
  assert.match(html, /ING\]: &lt;b>old/, "as it is shown, and as text");
  assert.match(
    html,
    new RegExp(`2 of 5 tasks printed it.*Earliest match among the searched tasks: #${ids[1]}`, "s"),
  );
  assert.deepEqual(runIds(await page("?q=%5EMORE$&regex=on")), [ids[1]]);
  assert.deepEqual(runIds(await page("?q=MORE&case=on")), []);
  assert.deepEqual(runIds(await page(`?q=warning&before=${ids[4]}`)), [ids[1]]);
  assert.match(await page("?q=(&regex=on"), /not a valid RE2 regular expression/);
  assert.doesNotMatch(await page(""), /tasks printed it/);
  const template = await (await world.get("carol", `/project/${web.id}/templates/${deploy.id}`))
    .text();
  assert.ok(template.includes(`href="${path}"`), "the template's page has the way to it");
});

Deno.test("runs of other templates and projects are not looked through", async () => {
  await using world = await newWorld();
  const [id] = await printed(world, ["needle"]);
  const path = (templateId: number) => `/project/${world.web.id}/templates/${templateId}/search`;
  const of = async (
    who: "carol" | "dave",
    templateId: number,
  ) => (await world.api(who, "GET", `/api${path(templateId)}?q=needle`));
  assert.equal((await of("carol", world.deploy.id)).body.runs[0].task_id, id);
  assert.equal((await of("carol", 9_999)).status, 404);
  assert.equal((await of("dave", world.deploy.id)).status, 404);
  assert.equal((await world.get("dave", `${path(world.deploy.id)}?q=needle`)).status, 404);
});

Deno.test("a page that has enough continues with older runs, and each is found once", async () => {
  await using world = await newWorld();
  const ids = await printed(world, ...Array.from({ length: 52 }, () => ["needle"]));
  const path = `/project/${world.web.id}/templates/${world.deploy.id}/search?q=needle`;
  const newest = await (await world.get("carol", path)).text();
  assert.equal(runIds(newest).length, 50);
  const [, further] = newest.match(/href="([^"]*before=\d+)"/)!;
  const older = await (await world.get("carol", further.replaceAll("&amp;", "&"))).text();
  assert.deepEqual([...runIds(newest), ...runIds(older)], ids.toReversed());
  assert.match(older, /no older tasks/);
});

Deno.test("runs are looked through since a day of the reader's, and by the API since a time", async () => {
  await using world = await newWorld();
  const { web, deploy, clock } = world;
  const ids: number[] = [];
  const times: string[] = [];
  for (let n = 0; n < 4; n++) {
    times.push(clock.now().toISOString());
    ids.push(...await printed(world, ["needle"]));
    clock.advance(36 * 3_600_000);
  }
  const path = `/project/${web.id}/templates/${deploy.id}/search?q=needle`;
  const { body } = await world.api("carol", "GET", `/api${path}&from=${times[2]}`);
  assert.deepEqual(body.runs.map((run: { task_id: number }) => run.task_id), [ids[3], ids[2]]);
  assert.deepEqual([body.searched, body.before], [2, null]);
  assert.equal((await world.api("carol", "GET", `/api${path}&from=then`)).status, 400);

  const day = times[2].slice(0, 10);
  const page = async (from: string) =>
    await (await world.get("carol", `${path}&from=${from}`)).text();
  const html = await page(day);
  assert.deepEqual(runIds(html), [ids[3], ids[2]]);
  assert.match(html, /There are no older tasks since/);
  assert.ok(html.includes(`name="from" value="${day}"`), "the form has it");
  assert.equal(runIds(await page("nonsense")).length, 4, "no day is none");
});

Deno.test("a run's line is shown with the text around the match, marked as text", async () => {
  await using world = await newWorld();
  await printed(world, [`${"x".repeat(900)}\x1b[31m<i>nee\x1b[0mdle</i>`]);
  const path = `/project/${world.web.id}/templates/${world.deploy.id}/search?q=%3Ci%3Eneedle`;
  const html = await (await world.get("carol", path)).text();
  assert.match(html, /…<\/span><span>x+<\/span><mark>&lt;i>nee<\/mark><mark>dle<\/mark>/);
});
