import assert from "node:assert/strict";
import { isQuiet, newStage, type Stage } from "@/tests/support/browser/browser.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Document, style sheets and scripts of any page, as they come over the wire. */
const BYTES_MAX = 60_000;

/** Lines of an ordinary output. */
const LINES = 90;
const AGAIN_MAX = 5;
/** Once nothing was requested for so long, the view is complete. */
const STILL_MS = 500;

/**
 * Creates a project with a task and a run of a workflow that have ended. Returns the paths of pages
 * of all kinds.
 */
async function newPages({ server: { url, cookie } }: Stage): Promise<string[]> {
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
  const hasSucceeded = (path: string) =>
    until(async () => (await call("GET", path)).status === "success");
  const { id } = await call("POST", "/projects", { name: "Weights", demo: true });
  const project = `/project/${id}`;
  const [environment] = await call("GET", `${project}/environment`);
  const json = JSON.stringify({ callboard_stand_in_lines: LINES });
  await call("PUT", `${project}/environment/${environment.id}`, { ...environment, json });
  const [template] = await call("GET", `${project}/templates`);
  const task = await call("POST", `${project}/tasks`, { template_id: template.id });
  const taskPath = `${project}/tasks/${task.id}`;
  await hasSucceeded(taskPath);
  const steps = [{ kind: "template", template_id: template.id }];
  const workflow = await call("POST", `${project}/workflows`, { name: "Release", steps });
  const workflowPath = `${project}/workflows/${workflow.id}`;
  const run = await call("POST", `${workflowPath}/run`, {});
  const runPath = `${workflowPath}/runs/${run.id}`;
  await hasSucceeded(runPath);
  const sections = ["history", "activity", "templates", "workflows", "schedules", "inventory"];
  const others = ["hosts", "drift", "keys", "environment", "team", "settings"];
  const forms = ["schedules/new", "inventory/new", "keys/new", "environment/new"];
  const templatePath = `${project}/templates/${template.id}`;
  return [
    ...[...sections, ...others, ...forms].map((path) => `${project}/${path}`),
    ...[templatePath, `${templatePath}/edit`, `${templatePath}/tasks`],
    ...["", "/hosts", "/hosts?view=matrix", "/timeline", "/changes"].map((tab) => taskPath + tab),
    ...[workflowPath, `${workflowPath}/edit`, runPath],
    ...["/users", "/queue", "/account/appearance", "/admin/health", "/admin/settings"],
  ];
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

Deno.test("the first view of each kind of page comes in 60 kB", async () => {
  await using stage = await newStage("stand-in");
  for (const path of await newPages(stage)) {
    let bytes = await weigh(stage, path);
    assert.ok(bytes > 40_000, `${path} has style sheets and scripts: ${bytes}`);
    // News of the task that has just ended may come meanwhile, and bring more.
    for (let n = 0; n < AGAIN_MAX && bytes > BYTES_MAX; n++) bytes = await weigh(stage, path);
    assert.ok(bytes <= BYTES_MAX, `${path}: ${bytes} of ${BYTES_MAX}`);
  }
});
