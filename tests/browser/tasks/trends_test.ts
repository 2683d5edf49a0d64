import assert from "node:assert/strict";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import {
  assertAccessible,
  assertFitsWidth,
  isQuiet,
  lookAt,
} from "@/tests/support/browser/browser.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;
const ENDS = ["success", "success", "error", "success", "stopped"] as const;

/** Stores four weeks of runs of one template that take one to five minutes. */
async function fill(world: World): Promise<TaskRow> {
  const { api, web, deploy, kv, clock } = world;
  const body = { template_id: deploy.id };
  const { id } = (await api("bob", "POST", `/api/project/${web.id}/tasks`, body)).body;
  await advance(kv, { id, project_id: web.id }, "stopped");
  const model = await getTaskRow(kv, web.id, id);
  const now = clock.now().getTime();
  const changes = Array.from({ length: 84 }, (_, n): Partial<TaskRow> => {
    const time = now - DAY_MS * (28 - n / 3);
    const at = (ms: number) => new Date(ms).toISOString();
    const end = at(time + 60_000 * (1 + n % 5));
    return { status: ENDS[n % 5], created: at(time), start: at(time), end };
  });
  return (await writeHistory(kv, model, changes)).at(-1)!;
}

Deno.test("a bar leads to its runs over the page that it is on, and the table has the same for everyone", async () => {
  await using world = await newWorld();
  const last = await fill(world);
  await using visit = await lookAt(world, "carol", { timezoneId: "UTC" });
  const { page, problems } = visit;
  const { id } = world.web;
  await page.goto(`/project/${id}/history`);
  await isQuiet(page);
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  await page.locator("#overview-days > summary").click();
  const failed = page.locator("#overview-trend .bar-chart .bar-error").last();
  await failed.click();
  await page.waitForURL(/status=error/);
  await page.locator('#history-tasks [data-status="success"]').first().waitFor({
    state: "detached",
  });
  await page.goBack();
  await page.locator('#history-tasks [data-status="success"]').first().waitFor();

  await page.goto(`/project/${id}/templates/${world.deploy.id}`);
  await isQuiet(page);
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  await page.locator(`#runs-trend-chart-${last.id} .bar`).click();
  await page.getByRole("heading", { name: `Deploy shop #${last.id}` }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => "isSame" in globalThis));
  await page.locator("#runs-trend summary").press("Enter");
  const shown = page.locator("#runs-trend table");
  assert.equal(await shown.getByRole("link").count(), 30);
  assert.deepEqual(problems, []);
});

Deno.test("charts fit narrow and dark pages, and keep no one out", async () => {
  await using world = await newWorld();
  await fill(world);
  await using visit = await lookAt(world, "carol");
  const { page } = visit;
  const template = `templates/${world.deploy.id}`;
  for (const path of ["history", template, `${template}/compare`]) {
    await page.goto(`/project/${world.web.id}/${path}`);
    if (path === "history") await page.locator("#overview-days > summary").click();
    await page.locator(":is(.trend, #compare-same) > summary, .trend summary").click();
    for (const [width, colorScheme] of [[390, "dark"], [1280, "light"], [360, "light"]] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await assertFitsWidth(page);
      // Once in each theme.
      if (width !== 360) await assertAccessible(page);
      if (Deno.env.get("LOOK")) {
        await page.screenshot({ path: `/tmp/look_${width}_${path.replaceAll("/", "_")}.png` });
      }
    }
  }
});
