import {
  endShared,
  isQuiet,
  lookAt,
  newStage,
  type Stage,
} from "../tests/support/browser/browser.ts";
import { fleetCheck, fleetRun } from "../tests/support/world/fleet_run.ts";
import { reportedTask } from "../tests/support/world/reported_task.ts";
import { newWorkflowStage } from "../tests/support/world/workflows.ts";
import { newWorld } from "../tests/support/world/world.ts";
import { storeDueDrift } from "../lib/drift/store_checks.ts";
import type { Page } from "../tests/packages/playwright.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { say } from "../scripts/console.ts";
import { runScript } from "../scripts/run_script.ts";

const FOLDER = new URL("../docs/images/", import.meta.url).pathname;

/** Pictures are sharp on dense screens, and their font may be added despite the pages' policy. */
const LOOK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2, bypassCSP: true };

/** The fonts of the pictures, from Debian's packages `fonts-inter` and `fonts-jetbrains-mono`. */
const FONTS = [
  "html { font-family: Inter }",
  "code, pre, .code, [role=log] { font-family: 'JetBrains Mono'; font-variant-ligatures: none }",
].join("\n");

/** Creates some history in the demo project, in the way a person would. */
async function makeHistory({ server }: Stage): Promise<number> {
  const make = async (path: string, body: unknown) => (await server.api("POST", path, body)).body;
  const { id } = await make("/api/projects", { name: "Corner shop", demo: true });
  const below = `/api/project/${id}`;
  const { body: templates } = await server.api("GET", `${below}/templates`);
  const run = async (name: string, message: string) => {
    const template = templates.find((template: { name: string }) => template.name === name);
    const { id } = await make(`${below}/tasks`, { template_id: template.id, message });
    await waitForQuiet(server, below);
    const { status, end_reason } = (await server.api("GET", `${below}/tasks/${id}`)).body;
    if (name === "Build" && status !== "success") {
      throw new ConfigError(`No pictures: the build of the demo failed. ${end_reason}`);
    }
    return id as number;
  };
  await run("Build", "Opening hours for the holidays");
  await run("Ping Site", "");
  return await run("Build", "A new price list");
}

async function waitForQuiet(server: Stage["server"], below: string): Promise<void> {
  for (let waited = 0; waited < 120; waited++) {
    const { body: tasks } = await server.api("GET", `${below}/tasks/last`);
    const isOpen = ({ status }: { status: string }) =>
      !["success", "error", "stopped"].includes(status);
    if (!tasks.some(isOpen)) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error("The demo's tasks did not finish");
}

type ColorScheme = "light" | "dark";

async function take(page: Page, name: string, path: string): Promise<void> {
  await page.goto(path);
  await isQuiet(page);
  await page.addStyleTag({ content: FONTS });
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  say(`${FOLDER}${name}.png`);
}

/** Takes pictures of a real server and the history of its demo. */
async function takeDemo(): Promise<void> {
  await using stage = await newStage();
  const task = await makeHistory(stage);
  const pictures: [name: string, path: string, colorScheme: ColorScheme][] = [
    ["history", "/project/1/history", "light"],
    ["log", `/project/1/history?t=${task}`, "dark"],
  ];
  for (const [name, path, colorScheme] of pictures) {
    const { page } = await stage.open({ ...LOOK, colorScheme });
    await page.goto("/project/1/history");
    await page.getByRole("button", { name: "Hide" }).click();
    await page.locator("#first-steps").waitFor({ state: "detached" });
    await take(page, name, path);
  }
}

/** Takes pictures of a run on a fleet, which is larger than any demo. */
async function takeFleet(): Promise<void> {
  await using world = await newWorld();
  const run = await reportedTask(world, { message: "Release 2026.2.0" });
  const events = [...fleetRun(Date.now() - 180_000)];
  await run.report(...events);
  const [start, end] = [events[0], events.at(-1)!]
    .map((event) => "at" in event ? new Date(event.at).toISOString() : undefined);
  await run.end("error", { start, end });
  const pictures: [name: string, tab: string, colorScheme: ColorScheme][] = [
    ["matrix", "hosts?view=matrix&all=1", "light"],
    ["timeline", "timeline", "dark"],
    ["changes", "changes", "light"],
  ];
  for (const [name, tab, colorScheme] of pictures) {
    await using visit = await lookAt(world, "alice", { ...LOOK, colorScheme });
    await take(visit.page, name, `${run.path.replace("/api", "")}/${tab}`);
  }
}

/** Takes a picture of what a check has found on a fleet. */
async function takeDrift(): Promise<void> {
  await using world = await newWorld({ start: new Date() });
  const run = await reportedTask(world, { check: true });
  const begun = world.clock.now().getTime() - 180_000;
  await run.report(...fleetCheck(begun));
  await run.end("success", { end: new Date(begun + 60_000).toISOString() });
  await storeDueDrift(world.deps);
  await using visit = await lookAt(world, "alice", { ...LOOK, colorScheme: "light" });
  await take(visit.page, "drift", `/project/${world.web.id}/templates/${world.deploy.id}/drift`);
}

/** Takes a picture of a workflow's run that waits for an approval. */
async function takeWorkflow(): Promise<void> {
  await using stage = await newWorkflowStage({ start: new Date(Date.now() - 180_000) });
  const { world } = stage;
  const step = async (id: number, name: string, ...after: number[]) => ({
    id,
    kind: "template",
    name,
    template_id: await stage.template({ name }),
    after: after.map((step) => ({ step })),
  });
  const id = await stage.workflow([
    await step(-1, "Build the shop"),
    await step(-2, "Test the shop", -1),
    await step(-3, "Back up the databases"),
    { id: -4, kind: "approval", name: "Release?", after: [{ step: -2 }, { step: -3 }] },
    await step(-5, "Roll out to Frankfurt", -4),
    await step(-6, "Roll out to Dublin", -4),
  ], { name: "Release the shop" });
  const run = await stage.start(id, { message: "Release 2026.2.0" });
  for (let ended = 0; ended < 3; ended++) {
    world.clock.advance(47_000);
    await stage.end((await stage.openTasks())[0], "success");
    await stage.goOn();
  }
  await using visit = await lookAt(world, "alice", { ...LOOK, colorScheme: "dark" });
  await take(visit.page, "workflow", `/project/${world.web.id}/workflows/${id}/runs/${run}`);
}

/** Takes the pictures of docs/images/: `deno run -A tools/pictures.ts`. */
async function takePictures(): Promise<void> {
  await Deno.mkdir(FOLDER, { recursive: true });
  await takeDemo();
  await takeFleet();
  await takeDrift();
  await takeWorkflow();
  await endShared();
}

await runScript(takePictures);
