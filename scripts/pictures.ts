import { newStage, type Stage } from "../tests/support/browser.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { say } from "./console.ts";
import { runScript } from "./run_script.ts";

const FOLDER = new URL("../docs/images/", import.meta.url).pathname;
const VIEWPORT = { width: 1280, height: 800 };

/** The demo project with some history, the way a person would make it. */
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
      throw new ConfigError(`No pictures were taken: the demo's build did not run. ${end_reason}`);
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
  throw new Error("The demo's tasks did not end");
}

/** Takes the pictures of README.md from a real server: `deno run -A scripts/pictures.ts`. */
async function takePictures(): Promise<void> {
  await using stage = await newStage();
  const task = await makeHistory(stage);
  await Deno.mkdir(FOLDER, { recursive: true });
  const take = async (name: string, path: string, colorScheme: "light" | "dark") => {
    const { page } = await stage.open({ viewport: VIEWPORT, colorScheme });
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    say(`${FOLDER}${name}.png`);
  };
  await take("history", "/project/1/history", "light");
  await take("log", `/project/1/history?t=${task}`, "dark");
}

await runScript(takePictures);
