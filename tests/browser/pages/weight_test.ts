import assert from "node:assert/strict";
import { isQuiet, newStage, type Stage } from "@/tests/support/browser/browser.ts";
import { until } from "@/tests/support/basics/until.ts";

const LIST_BYTES_MAX = 57_000;
const FORM_BYTES_MAX = 61_500;
const TASK_BYTES_MAX = 66_500;

/** Lines of an ordinary output. */
const LINES = 90;
const AGAIN_MAX = 5;
/** Once nothing was requested for so long, the view is complete. */
const STILL_MS = 500;

/** Creates a project with a task that has ended. Returns the paths of its pages. */
async function newPages({ server: { url, cookie } }: Stage) {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie, "Content-Type": "application/json" };
    const answer = await fetch(new URL(`api${path}`, url), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return text ? JSON.parse(text) : null;
  };
  const { id } = await call("POST", "/projects", { name: "Weights", demo: true });
  const project = `/project/${id}`;
  const [environment] = await call("GET", `${project}/environment`);
  const json = JSON.stringify({ callboard_stand_in_lines: LINES });
  await call("PUT", `${project}/environment/${environment.id}`, { ...environment, json });
  const [template] = await call("GET", `${project}/templates`);
  const task = await call("POST", `${project}/tasks`, { template_id: template.id });
  const path = `${project}/tasks/${task.id}`;
  await until(async () => (await call("GET", path)).status === "success");
  const templatePath = `${project}/templates/${template.id}`;
  const sections = ["history", "templates", "schedules", "inventory", "hosts", "keys", "team"];
  return {
    lists: [...sections.map((section) => `${project}/${section}`), templatePath, "/users"],
    forms: [`${templatePath}/edit`, `${project}/schedules/new`, `${project}/inventory/new`],
    task: path,
  };
}

/** Returns what comes over the wire for a page until it is complete, with an empty cache. */
async function weigh(stage: Stage, path: string): Promise<number> {
  await using visit = await stage.open({ timezoneId: "Europe/Berlin" });
  const { page } = visit;
  // Known since the sign-in. A first page without it is loaded twice.
  const zone = { name: "zone", value: "Europe%2FBerlin", url: stage.server.url };
  await page.context().addCookies([zone]);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => bytes += encodedDataLength);
  await page.goto(path);
  await isQuiet(page);
  for (let before = -1; before < bytes;) {
    before = bytes;
    await page.waitForTimeout(STILL_MS);
  }
  return bytes;
}

Deno.test("the first view of lists, forms and a task comes in few bytes", async () => {
  await using stage = await newStage("stand-in");
  const { lists, forms, task } = await newPages(stage);
  const budgets: [path: string, max: number][] = [
    ...lists.map((path): [string, number] => [path, LIST_BYTES_MAX]),
    ...forms.map((path): [string, number] => [path, FORM_BYTES_MAX]),
    [task, TASK_BYTES_MAX],
  ];
  for (const [path, max] of budgets) {
    let bytes = await weigh(stage, path);
    assert.ok(bytes > 40_000, `${path} has a style sheet and scripts: ${bytes}`);
    // News of the task that has just ended may come meanwhile, and bring more.
    for (let n = 0; n < AGAIN_MAX && bytes > max; n++) bytes = await weigh(stage, path);
    assert.ok(bytes <= max, `${path}: ${bytes} of ${max}`);
  }
});
