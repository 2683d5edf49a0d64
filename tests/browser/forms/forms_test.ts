import assert from "node:assert/strict";
import type { Page } from "@/tests/packages/playwright.ts";
import { assertAccessible, assertFitsWidth, isQuiet } from "@/tests/support/browser/browser.ts";
import {
  closed,
  dialogOf,
  focused,
  isSame,
  newFormStage,
} from "@/tests/support/browser/form_stage.ts";

const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true } as const;

Deno.test("a key is created in a dialog, which shows its errors, and the list behind then has it", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("keys");
  await page.getByRole("link", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.waitFor();
  assert.match(page.url(), /\/keys\/new$/);
  assert.equal(await focused(page), "field-name");
  await assertAccessible(page);

  const marked = () =>
    dialog.locator("label.required:visible").evaluateAll((labels) =>
      labels.map(({ textContent }) => textContent)
    );
  assert.deepEqual(await marked(), ["Key name", "Private key"]);
  await dialog.getByText("Login with password").click();
  assert.deepEqual(await marked(), ["Key name", "Password"]);

  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("2 fields need your attention").waitFor();
  assert.equal(await focused(page), "field-name");
  await dialog.getByLabel("Key name").fill("Root");
  await dialog.getByLabel("Password", { exact: true }).fill("hunter2");
  await dialog.getByLabel("Key name").fill("");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("One field needs your attention").waitFor();
  await dialog.getByLabel("Key name").fill("Root");
  await dialog.getByRole("button", { name: "Create" }).click();

  await page.getByRole("cell", { name: "Root", exact: true }).waitFor();
  await page.locator(".flash").waitFor();
  await closed(page);
  await page.waitForURL(/\/keys$/);
  assert.equal(
    await page.getByRole("row", { name: "Root" }).getByText("Login with password").count(),
    1,
  );
  assert.ok(await isSame(page));
  assert.deepEqual(problems.filter((problem) => !problem.includes("422")), []);

  // The type of a stored key is shown as text. Deleting asks in a dialog over the list.
  await page.getByRole("link", { name: "Edit Root" }).click();
  await page.getByRole("dialog").getByText("Type: Login with password").waitFor();
  await page.keyboard.press("Escape");
  await closed(page);
  await page.getByRole("link", { name: "Delete Root" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Root", { exact: true }).waitFor({ state: "detached" });
  assert.ok(await isSame(page));
});

Deno.test("input in a dialog is not lost without a question, whichever way it is left", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("environment");
  const question = page.locator("#discard");
  const ways = [
    () => page.keyboard.press("Escape"),
    () => page.goBack(),
    () => dialogOf(page).getByTitle("Close").click(),
  ];
  for (const leave of ways) {
    await page.getByRole("link", { name: "New environment" }).click();
    await page.getByLabel("Environment name").fill("Staging");
    await leave();
    await question.waitFor();
    await assertAccessible(page);
    await question.getByRole("button", { name: "Keep editing" }).click();
    assert.equal(await page.getByLabel("Environment name").inputValue(), "Staging");
    assert.match(page.url(), /\/environment\/new$/);
    await leave();
    await question.getByRole("button", { name: "Discard" }).click();
    await closed(page);
    await page.waitForURL(/\/environment$/);
  }
  // No question appears if nothing was typed, or after Cancel.
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").waitFor();
  await page.keyboard.press("Escape");
  await closed(page);
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").fill("Staging");
  await dialogOf(page).getByRole("link", { name: "Cancel" }).click();
  await closed(page);
  const focus = await page.evaluate(() => document.activeElement?.textContent);
  assert.equal(focus, "New environment");
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);
});

Deno.test("a question that was just answered can be asked again immediately", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("environment");
  await page.getByRole("link", { name: "New environment" }).click();
  await page.getByLabel("Environment name").fill("Staging");
  await page.keyboard.press("Escape");
  const question = page.locator("#discard");
  await question.getByRole("button", { name: "Keep editing" }).evaluate((keep: HTMLElement) => {
    keep.click();
    const escape = new KeyboardEvent("keydown", { key: "Escape", cancelable: true });
    document.getElementById("over")!.dispatchEvent(escape);
  });
  await question.getByRole("button", { name: "Discard" }).click();
  await closed(page);
});

Deno.test("the browser asks before a page with a changed form is left, and not after it was saved", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("settings");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    dialog.accept();
  });
  await page.getByLabel("Project name").fill("Shop 2");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.locator(".flash").waitFor();
  assert.ok(await isSame(page));
  await page.getByRole("link", { name: "Key Store" }).click();
  await page.waitForURL(/\/keys$/);
  assert.deepEqual(asked, []);

  await page.goto(`${stage.projectPath}/settings`);
  await isQuiet(page);
  await page.getByLabel("Project name").fill("Shop 3");
  // The theme changes without losing the input.
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.equal(await page.getByLabel("Project name").inputValue(), "Shop 3");
  await page.getByRole("link", { name: "Key Store" }).click();
  await page.waitForURL(/\/keys$/);
  assert.deepEqual(asked, ["beforeunload"]);
});

Deno.test("a template's form adds questions in place, and loads the editor when its field is used", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await page.getByRole("link", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await dialog.getByLabel("Name", { exact: true }).fill("Nightly");
  await dialog.getByText("Survey variables", { exact: true }).click();
  await dialog.getByRole("button", { name: "Add variable" }).click();
  await dialog.getByLabel("Title").fill("Region");
  await dialog.getByRole("button", { name: "Add variable" }).click();
  await dialog.locator("#survey-1").waitFor();
  assert.equal(await dialog.getByLabel("Title").first().inputValue(), "Region");
  assert.equal(await dialog.getByLabel("Name", { exact: true }).first().inputValue(), "Nightly");
  await dialog.locator("#survey-1").getByRole("button", { name: "Remove" }).click();
  await dialog.locator("#survey-1").waitFor({ state: "detached" });
  await dialog.getByText("Deploy", { exact: true }).click();
  const marked = dialog.locator(".for-deploy label.required:visible");
  assert.equal(await marked.count(), 1);

  const isEditor = (url: string) => /code_mirror|codemirror|chunk/.test(url);
  await isQuiet(page);
  await page.waitForTimeout(500);
  const before = scripts.filter(isEditor).length;
  assert.equal(await page.locator(".cm-editor").count(), 0);
  await dialog.getByText("Branch, limits, arguments and runner").click();
  await dialog.getByText("CLI args", { exact: true }).click();
  await page.locator(".cm-editor.cm-focused").waitFor();
  assert.ok(scripts.filter(isEditor).length > before, scripts.join("\n"));
  await page.keyboard.type('["--diff"]');
  assert.equal(await page.locator("[name=arguments]").inputValue(), '["--diff"]');
  assert.match(await summaryOf(page, "template-limits"), /^CLI args$/);
  await assertAccessible(page);
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);
});

const summaryOf = async (page: Page, section: string) =>
  await page.locator(`#${section} .fold-summary`).textContent() ?? "";

Deno.test("forms fit one screen, and sections of a template say what they hold while someone types", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates", {
    viewport: { width: 1280, height: 900 },
  });
  await page.goto(`${stage.projectPath}/templates/new/edit`);
  await isQuiet(page);
  await page.getByText(/^\d+ playbooks/).waitFor();
  for (const type of ["Task", "Build", "Deploy"]) {
    await page.locator(".segments").getByText(type, { exact: true }).click();
    const { y, height } = (await page.locator("#template-form").boundingBox())!;
    assert.ok(y + height <= 900, `${type} ends at ${y + height}`);
  }
  for (const path of ["inventory/new", "environment/new", "repositories/new", "keys/new"]) {
    await page.goto(`${stage.projectPath}/${path}`);
    const { y, height } = (await page.locator("#main .dialog").boundingBox())!;
    assert.ok(y + height <= 900, `${path} ends at ${y + height}`);
  }
  await page.goto(`${stage.projectPath}/templates/new/edit`);
  await isQuiet(page);
  const section = page.locator("#template-details");
  await section.locator("summary").click();
  await section.getByLabel("Description").fill("Every night");
  assert.equal(await summaryOf(page, "template-details"), "Description");
  await section.getByLabel("Description").fill("");
  assert.equal(await summaryOf(page, "template-details"), "Not set");
  await page.locator("#template-before > summary").click();
  await page.getByLabel("Ask for approval").check();
  assert.equal(await summaryOf(page, "template-before"), "Approval");

  // A section with an error opens, and its first wrong field has the focus.
  const schedule = page.locator("#template-schedule");
  await schedule.locator("summary").click();
  await schedule.getByLabel("Cron", { exact: true }).fill("at night");
  await schedule.locator("summary").click();
  await page.getByLabel("Name", { exact: true }).fill("Nightly");
  await page.locator(".segments").getByText("Task", { exact: true }).click();
  await page.getByLabel("Playbook filename").fill("ping.yml");
  await page.getByLabel("Inventory", { exact: true }).selectOption({ label: "Dev" });
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("One field needs your attention").waitFor();
  await schedule.getByLabel("Cron", { exact: true }).waitFor();
  assert.equal(await focused(page), "field-cron_format");
  assert.equal(await summaryOf(page, "template-before"), "Approval");
  await assertAccessible(page);
  assert.deepEqual(problems.filter((problem) => !problem.includes("422")), []);
});

Deno.test("questions of a survey are written and moved by keys, above a preview of the start", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  await page.getByRole("link", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await page.locator(".segments").getByText("Task", { exact: true }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Asks");
  await dialog.getByLabel("Playbook filename").fill("ping.yml");
  await dialog.getByLabel("Inventory", { exact: true }).selectOption({ label: "Dev" });
  await dialog.locator("#survey > summary").focus();
  const { keyboard } = page;
  await keyboard.press("Enter");
  for (const question of ["region", "size"]) {
    await dialog.getByRole("button", { name: "Add variable" }).focus();
    await keyboard.press("Enter");
    await keyboard.type(question);
    await keyboard.press("Tab");
    await keyboard.type(`${question}?`);
  }
  const asked = () => dialog.locator(".survey-preview label").allTextContents();
  assert.deepEqual(await asked(), ["region?", "size?"]);
  assert.equal(await summaryOf(page, "survey"), "region?, size?");
  const size = dialog.locator(".survey-question", { hasText: "size?" });
  await size.getByLabel("Type").selectOption({ label: "Choice" });
  await size.getByLabel("Choices", { exact: true }).fill("small\nlarge = l");
  await size.getByLabel("Required").check();
  const preview = dialog.locator(".survey-preview").getByLabel("size?");
  assert.deepEqual(await preview.locator("option").allTextContents(), [
    "Choose…",
    "small",
    "large",
  ]);
  await assertAccessible(page);

  await size.getByRole("button", { name: "Move up" }).focus();
  await keyboard.press("Enter");
  assert.deepEqual(await asked(), ["size?", "region?"]);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Move down");
  await dialog.getByText("Branch, limits, arguments and runner").click();
  await dialog.getByLabel("CLI args").first().focus();
  await keyboard.type('{"forks": 2}');
  await dialog.locator("[role=status]", { hasText: "must be a JSON array" }).waitFor();
  await keyboard.press("Control+a");
  await keyboard.type('["--forks", "2"]');
  await dialog.locator("[role=status]", { hasText: "must be a JSON array" })
    .waitFor({ state: "hidden" });

  await dialog.getByRole("button", { name: "Create" }).click();
  await closed(page);
  const { body: template } = await stage.api(
    "GET",
    `templates/${await stage.idOf("templates", "Asks")}`,
  );
  const [first, second] = template.survey_vars;
  assert.deepEqual([first.name, first.required, second.name], ["size", true, "region"]);
  assert.deepEqual(first.values.at(-1), { name: "large", value: "l" });
  assert.equal(template.arguments, '["--forks", "2"]');
  assert.deepEqual(problems, []);
});

Deno.test("the playbooks are loaded when a repository is chosen, and the latest choice wins", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  const answer = (path: string) =>
    `<div id="found"><p role="status">${path}</p><datalist id="found-playbooks">` +
    `<option value="${path}"></option></datalist></div>`;
  let release = () => {};
  const slow = new Promise<void>((done) => release = done);
  await page.route(/\/templates\/playbooks\?/, async (route) => {
    const chosen = !route.request().url().includes("repository_id=&");
    if (chosen) await slow;
    await route.fulfill({ contentType: "text/html", body: answer(chosen ? "new" : "old") })
      .catch(() => {}); // The page has aborted it.
  });
  await page.goto(`${stage.projectPath}/templates/new/edit`);
  await page.getByText("Loading playbooks…").waitFor();
  const repository = page.getByLabel("Repository", { exact: true });
  await repository.selectOption("");
  const status = page.locator("#playbooks [role=status]");
  await status.getByText("old", { exact: true }).waitFor();
  release();
  await page.locator("#playbooks:not([aria-busy])").waitFor();
  assert.equal(await status.textContent(), "old");
  await repository.selectOption({ index: 1 });
  await status.getByText("new", { exact: true }).waitFor();
  assert.equal(await page.locator("#found-playbooks option").getAttribute("value"), "new");
  assert.deepEqual(problems, []);
});

Deno.test("a playbook is chosen by keys, and one that the repository does not have is typed", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  const paths = ["site.yml", "plays/web.yml", "plays/db.yml"];
  const body = `<div id="found"><p role="status">3 playbooks</p><datalist id="found-playbooks">` +
    `${paths.map((path) => `<option value="${path}"></option>`).join("")}</datalist></div>`;
  await page.route(
    /\/templates\/playbooks\?/,
    (route) => route.fulfill({ contentType: "text/html", body }),
  );
  await page.getByRole("link", { name: "New template" }).first().click();
  await page.getByText("3 playbooks").waitFor();
  const field = page.locator("#field-playbook[role=combobox]");
  const offered = () => page.getByRole("option").filter({ visible: true }).allTextContents();
  await page.locator("#field-playbook").focus();
  await field.waitFor();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await offered(), paths);
  await assertAccessible(page);
  await field.pressSequentially("plays");
  assert.deepEqual(await offered(), paths.slice(1));
  await page.keyboard.press("ArrowUp");
  assert.equal(
    await page.locator(`[id="${await field.getAttribute("aria-activedescendant")}"]`).textContent(),
    "plays/db.yml",
  );
  await page.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "plays/db.yml");
  assert.equal(await field.getAttribute("aria-expanded"), "false");

  await page.keyboard.press("Home");
  await page.keyboard.type("my/");
  assert.equal(await field.inputValue(), "my/plays/db.yml");
  assert.deepEqual(await offered(), []);
  await field.fill("plays");
  await page.keyboard.press("Escape");
  assert.deepEqual(await offered(), []);
  assert.equal(await field.inputValue(), "plays");
  assert.equal(await page.getByRole("dialog").count(), 1, "Escape closes the list alone");
  await page.keyboard.press("Enter");
  await page.getByText("need your attention").waitFor();
  assert.equal(await field.inputValue(), "plays", "Enter sends what was typed");
  assert.deepEqual(problems.filter((problem) => !problem.includes("422")), []);
});

Deno.test("a playbook is typed and clicked on while its combobox is loaded", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  const body = `<div id="found"><p role="status">2 playbooks</p><datalist id="found-playbooks">` +
    `<option value="site.yml"></option><option value="plays/web.yml"></option></datalist></div>`;
  await page.route(
    /\/templates\/playbooks\?/,
    (route) => route.fulfill({ contentType: "text/html", body }),
  );
  const field = page.locator("#field-playbook");
  const combobox = page.locator("#field-playbook[role=combobox]");
  const offered = () => page.getByRole("option").filter({ visible: true }).allTextContents();
  for (
    const [use, expected] of [
      [() => field.pressSequentially("web"), ["plays/web.yml"]],
      [() => field.click(), ["site.yml", "plays/web.yml"]],
    ] as const
  ) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/js\/(Combobox|chunk)-/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${stage.projectPath}/templates/new/edit`);
    await page.getByText("2 playbooks").waitFor();
    await use();
    assert.equal(await combobox.count(), 0, "it is not loaded yet");
    release();
    await combobox.waitFor();
    assert.deepEqual(await offered(), expected);
    await page.keyboard.type(".yml");
    assert.match(await field.inputValue(), /^(web)?\.yml$/, "the caret stays");
    await page.unroute(/\/js\/(Combobox|chunk)-/);
  }
  assert.deepEqual(problems, []);
});

Deno.test("the bar with Save is always in sight, and never over the field that has the focus", async () => {
  await using stage = await newFormStage();
  const template = `templates/${await stage.idOf("templates", "Ping Site")}`;
  const environment = `environment/${await stage.idOf("environment", "Empty")}`;
  for (const options of [PHONE, { viewport: { width: 1280, height: 600 } }]) {
    const { page } = await stage.open(template, options);
    await assertUncovered(page);
    for (const path of [`${template}/edit`, environment, "keys/new", "integration/new"]) {
      await page.goto(`${stage.projectPath}/${path}`);
      await assertFitsWidth(page);
      await assertUncovered(page);
    }
    await page.goto(`${stage.projectPath}/${template}`);
    await isQuiet(page);
    await page.getByRole("link", { name: /^Edit template/ }).click();
    await dialogOf(page).getByLabel("Name", { exact: true }).waitFor();
    await assertUncovered(page);
    await assertAccessible(page);
  }
});

/** Goes through all fields of the form with the keyboard. */
async function assertUncovered(page: Page) {
  const fields = await page.locator("form.form:visible :is(input, select, textarea):visible")
    .count();
  for (let n = 0; n < fields + 10; n++) {
    await page.keyboard.press("Tab");
    const covered = await page.evaluate(() => {
      const field = document.activeElement!;
      const bar = field.closest("form.form")?.querySelector(".form-bar");
      if (!bar) return null;
      const barBox = bar.getBoundingClientRect();
      if (barBox.bottom > innerHeight + 1) return `the bar ends at ${barBox.bottom}`;
      if (bar.contains(field)) return null;
      const { top, bottom } = field.getBoundingClientRect();
      const isBelow = Math.min(bottom, top + 40) > barBox.top + 1;
      return isBelow || top < 0
        ? `${field.id} is at ${top} to ${bottom}, the bar at ${barBox.top}`
        : null;
    });
    assert.equal(covered, null, page.url());
  }
}

Deno.test("without a script a form is a page that comes back to the place where one was", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "New template" }).click();
  await page.waitForURL(/\/templates\/new\/edit$/);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText(/\d fields need your attention/).waitFor();
  assert.equal(await focused(page), "field-name");
  await page.getByLabel("Name", { exact: true }).fill("Nightly");
  await page.getByText("Survey variables", { exact: true }).click();
  await page.getByRole("button", { name: "Add variable" }).click();
  const title = page.getByLabel("Title");
  await title.waitFor();
  const { y } = (await title.boundingBox())!;
  assert.ok(y > 0 && y < 720, `the new question is at ${y}`);
  assert.equal(await page.getByLabel("Name", { exact: true }).first().inputValue(), "Nightly");
});

Deno.test("views are edited in their dialog, one question after the other in its place, and the tabs behind follow", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  await page.getByRole("link", { name: "Edit views" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit views" });
  for (const title of ["Nightly", "Weekly"]) {
    await dialog.getByLabel("New view").fill(title);
    await dialog.getByRole("button", { name: "Add view" }).click();
    await dialog.getByRole("button", { name: `Rename view ${title}` }).waitFor();
    assert.equal(await dialog.getByLabel("New view").inputValue(), "");
  }
  await dialog.getByRole("link", { name: "Delete view Nightly" }).click();
  const question = page.getByRole("dialog", { name: "Delete view" });
  await question.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Rename view Weekly" }).waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Rename view Nightly" }).count(), 0);
  await page.keyboard.press("Escape");
  await closed(page);
  await page.getByRole("link", { name: "Weekly" }).waitFor();
  await page.waitForURL(/\/templates$/);
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);
});

Deno.test("a run is started in a dialog, and its log takes that place over the same list", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  await page.getByRole("link", { name: "Run Ping Site" }).click();
  await page.getByLabel("Message").fill("Are you there?");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").locator("#task-title").waitFor();
  assert.match(page.url(), /\?t=\d+$/);
  await page.locator("#over [aria-current=page]:focus").waitFor();
  await page.keyboard.press("Escape");
  await closed(page);
  await page.waitForURL(/\/templates$/);
  assert.ok(await isSame(page));
  assert.deepEqual(problems, []);
});

Deno.test("a run that is started from the form's own page has its log in front, and leaves the page usable", async () => {
  await using stage = await newFormStage();
  const { page, problems } = await stage.open("templates");
  await page.goto(
    await page.getByRole("link", { name: "Run Ping Site" }).getAttribute("href") ?? "",
  );
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\?t=\d+$/);
  await page.locator("#over:modal [aria-current=page]:focus").waitFor();
  await page.keyboard.press("Escape");
  await closed(page);
  await page.waitForURL(/\/templates\/\d+$/);
  await page.locator("#main:focus").waitFor();
  await page.waitForFunction(() => document.title.startsWith("Ping Site"));
  await page.getByRole("link", { name: "Run", exact: true }).click();
  await page.getByLabel("Message").waitFor();
  assert.deepEqual(problems, []);
});

Deno.test("a form on a page comes back in place: secrets that were typed are still there, the URL is rewritten", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("keys/new");
  await page.getByLabel("Private key").fill("no key at all");
  await page.getByLabel("Passphrase").fill("sesame");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("One field needs your attention").waitFor();
  assert.ok(await isSame(page));
  assert.equal(await focused(page), "field-name");
  assert.equal(await page.getByLabel("Private key").inputValue(), "no key at all");
  assert.equal(await page.getByLabel("Passphrase").inputValue(), "sesame");

  const { page: other } = await stage.open("repositories/new");
  await other.getByLabel("Name").fill("Shop");
  await other.getByLabel("URL or path").fill("git@git.example.com:team/shop.git");
  await other.getByRole("button", { name: "https" }).click();
  await other.waitForFunction(() =>
    (document.getElementById("field-git_url") as HTMLInputElement).value.startsWith("https://")
  );
  assert.equal(await other.getByLabel("Name").inputValue(), "Shop");
  assert.equal(await other.evaluate(() => document.activeElement?.textContent), "https");
  await other.getByRole("button", { name: "Folder" }).click();
  await other.locator("#field-git_branch:disabled").waitFor();
  const mark = () =>
    other.evaluate(() =>
      getComputedStyle(document.querySelector("[for=field-git_branch]")!, "::after").content
    );
  assert.equal(await mark(), "none");
  assert.ok(await isSame(other));
});

Deno.test("Back leads from the help to the typed text, without a script", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("history", { javaScriptEnabled: false });
  await page.context().clearCookies();
  await page.goto("/auth/login");
  await page.locator("[name=auth]").fill("alice");
  await page.getByRole("link", { name: /sign in\?/i }).click();
  await page.getByText("deno task user list").waitFor();
  await assertFitsWidth(page);
  await page.goBack();
  assert.equal(await page.locator("[name=auth]").inputValue(), "alice");
});

Deno.test("the focus goes back to the menu that a dialog was opened from", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates");
  await page.locator("[popovertarget=project-menu]").click();
  await page.getByRole("link", { name: "New project" }).click();
  await page.getByRole("dialog", { name: "New project" }).waitFor();
  assert.equal(await focused(page), "field-name");
  await page.keyboard.press("Escape");
  await closed(page);
  const target = await page.evaluate(() => document.activeElement?.getAttribute("popovertarget"));
  assert.equal(target, "project-menu");
});

Deno.test("the button that starts a task names its hosts, unless a field may change them", async () => {
  await using stage = await newFormStage();
  const { page } = await stage.open("templates");
  await page.getByRole("link", { name: "Build Build" }).click();
  const dialog = page.getByRole("dialog", { name: "Build Build" });
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  await button("Build on 1 host").waitFor();
  await assertAccessible(page);
  await dialog.getByText("Override template settings").click();
  await dialog.getByLabel("Limit").fill("web");
  await button("Build").waitFor();
  await dialog.getByLabel("Limit").fill("");
  await button("Build on 1 host").waitFor();
});
