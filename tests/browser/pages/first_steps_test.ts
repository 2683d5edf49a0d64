import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "@/tests/packages/playwright.ts";
import {
  assertAccessible,
  assertFitsWidth,
  newStage,
  type Stage,
} from "@/tests/support/browser/browser.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";

const PLAY = "- hosts: web\n  gather_facts: false\n  tasks:\n    - debug: { msg: hi }\n";

interface Desk {
  page: Page;
  hasScript: boolean;
  /** Address of the dashboard of a new project. */
  dashboard: string;
  url: string;
}

/** Opens a new project with or without script, and creates a repository for it. */
async function withDesk(
  options: Parameters<Stage["open"]>[0],
  work: (desk: Desk) => Promise<void>,
) {
  await using stage = await newStage();
  const folder = await Deno.makeTempDir({ prefix: "callboard_steps_" });
  try {
    const git = await newGitRepository(join(folder, "playbooks"));
    await git.commit({ "site.yml": PLAY, "more/other.yml": PLAY }, "First plays");
    const { body } = await stage.server.api("POST", "/api/projects", { name: "New" });
    const { page, problems } = await stage.open(options);
    const hasScript = options?.javaScriptEnabled !== false;
    await work({ page, hasScript, dashboard: `/project/${body.id}/history`, url: git.url });
    // A form that is returned with errors has status 422.
    assert.deepEqual(problems, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const look = async ({ page, hasScript }: Desk) => {
  await assertFitsWidth(page);
  // The accessibility check is a script, too.
  if (hasScript) await assertAccessible(page);
};

/** Presses the button of the next step on the dashboard, where the previous step leads to. */
async function next({ page, dashboard }: Desk, name: string) {
  if (new URL(page.url()).pathname !== dashboard) await page.goto(dashboard);
  await page.locator("#first-steps [aria-current=step]").getByRole("link", { name }).click();
}

/** Waits until the dashboard with the next step is open again. */
const comesBack = ({ page, dashboard }: Desk) =>
  page.waitForURL((url) => url.pathname === dashboard);

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function makeKey(desk: Desk) {
  const { page } = desk;
  await next(desk, "New key");
  await page.getByLabel("Key name").fill("Hosts");
  await page.getByLabel("Generate a new key pair").check();
  assert.equal(await page.getByLabel("Private key").isVisible(), false);
  await press(page, "Create");
  await page.getByText("ssh-ed25519 AAAA").waitFor();
  await look(desk);
}

async function makeRepository(desk: Desk) {
  const { page, url } = desk;
  await next(desk, "New repository");
  await page.getByLabel("Name", { exact: false }).first().fill("Playbooks");
  await page.getByLabel("URL or path").fill(url);
  await page.getByLabel("Branch").fill("mian");
  await page.getByLabel("Access key").selectOption({ label: "None" });
  await press(page, "Test the connection");
  await page.getByText('The repository has no branch or tag "mian".').waitFor();
  await page.getByLabel("Branch").fill("main");
  await press(page, "Test the connection");
  await page.getByText("The repository can be reached.").waitFor();
  await page.getByText("Playbooks: 2").click();
  await page.getByText("more/other.yml").waitFor();
  await look(desk);
  await press(page, "Create");
  await comesBack(desk);
}

async function makeInventory(desk: Desk) {
  const { page, hasScript } = desk;
  await next(desk, "New inventory");
  await page.getByLabel("Name", { exact: false }).first().fill("Staging");
  await page.getByLabel("User credentials").selectOption({ label: "None" });
  const hosts = "[web]\nlocalhost ansible_connection=local\n";
  await page.locator("[name=inventory]").focus();
  if (hasScript) await page.locator(".cm-content:focus").waitFor();
  if (hasScript) await page.keyboard.insertText(hosts);
  else await page.getByLabel("Hosts").fill(hosts);
  await press(page, "Test the inventory");
  await page.getByText("Ansible can read this inventory. Hosts: 1").waitFor();
  await page.getByText("web: 1").click();
  await page.getByText("localhost", { exact: true }).last().waitFor();
  await look(desk);
  await press(page, "Create");
  await comesBack(desk);
}

async function makeTemplate(desk: Desk) {
  const { page } = desk;
  await next(desk, "New template");
  await page.getByLabel("Name", { exact: false }).first().fill("Greet");
  // The only repository is chosen already.
  if (!desk.hasScript) await press(page, "Load playbooks");
  await page.getByText("2 playbooks").waitFor();
  const offered = page.locator("#found-playbooks option");
  assert.deepEqual(
    await offered.evaluateAll((options) => options.map((option) => option.getAttribute("value"))),
    ["site.yml", "more/other.yml"],
  );
  const playbook = page.getByLabel("Playbook filename");
  if (desk.hasScript) {
    await playbook.fill("si");
    await page.getByRole("option", { name: "site.yml" }).click();
  } else {
    assert.equal(await playbook.getAttribute("list"), "found-playbooks");
    await playbook.fill("site.yml");
  }
  await look(desk);
  await press(page, "Create");
  await comesBack(desk);
}

async function fromNothing(desk: Desk) {
  const { page, dashboard, hasScript } = desk;
  await page.goto(dashboard);
  await look(desk);
  await makeKey(desk);
  await makeRepository(desk);
  await makeInventory(desk);
  await makeTemplate(desk);
  await next(desk, "Run");
  await press(page, "Run on 1 host");
  await page.waitForURL(/[?&]t=\d+$/);
  if (hasScript) await page.getByText("ok=1").first().waitFor();
  await page.goto(dashboard);
  await look(desk);
  await next(desk, "New schedule");
  await page.waitForURL(/\/schedules\/new\?/);
  await press(page, "Create");
  await comesBack(desk);
  await next(desk, "New team member");
  await page.getByText("Is new here", { exact: true }).click();
  const name = hasScript ? "ada" : "bea";
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-mail", { exact: true }).fill(`${name}@example.com`);
  await press(page, "Add");
  await page.getByRole("link", { name: "Done", exact: true }).click();
  await comesBack(desk);
  await next(desk, "New target");
}

Deno.test("from an empty project to the first task, step by step", async () => {
  await withDesk({}, fromNothing);
});

Deno.test("the same without a script, on a phone", async () => {
  const options = { javaScriptEnabled: false, viewport: { width: 360, height: 740 } };
  await withDesk(options, fromNothing);
});

Deno.test("the steps are hidden in place, and stay hidden", async () => {
  await withDesk({ colorScheme: "dark" }, async (desk) => {
    const { page, dashboard } = desk;
    await page.goto(dashboard);
    await look(desk);
    await press(page, "Hide");
    await page.locator("#first-steps").waitFor({ state: "detached" });
    await page.reload();
    assert.equal(await page.locator("#first-steps").count(), 0);
  });
});
