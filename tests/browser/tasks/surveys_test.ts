import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth } from "@/tests/support/browser/browser.ts";
import { dialogOf, newFormStage } from "@/tests/support/browser/form_stage.ts";

const PHONE = { viewport: { width: 390, height: 700 }, colorScheme: "dark" } as const;
const values = (...texts: string[]) => texts.map((value) => ({ name: value, value }));

const SURVEY = [
  { name: "env", title: "Environment", type: "enum", values: values("dev", "prod") },
  {
    name: "ticket",
    title: "Ticket",
    required: true,
    only_if: { name: "env", values: ["prod"] },
  },
  { name: "parts", title: "Parts", type: "select", values: values("api", "web", "db") },
  { name: "target", title: "Target", type: "host", description: "Where it runs." },
  { name: "notes", title: "Notes", type: "text" },
  { name: "token", title: "Token", type: "secret" },
];

/** Returns a stage with a template that asks all this. */
async function newSurveyStage() {
  const stage = await newFormStage();
  const id = await stage.idOf("templates", "Ping Site");
  const { body } = await stage.api("GET", `templates/${id}`);
  const saved = await stage.api("PUT", `templates/${id}`, { ...body, survey_vars: SURVEY });
  assert.equal(saved.status, 204, JSON.stringify(saved.body));
  const latest = async () => {
    const { body: [task] } = await stage.api("GET", "tasks");
    return JSON.parse(task.environment);
  };
  return { ...stage, id, latest, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

Deno.test("a question appears with the answer that it depends on, and loses nothing", async () => {
  await using stage = await newSurveyStage();
  const { page, problems } = await stage.open("templates");
  await page.getByRole("link", { name: "Run Ping Site" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("Token").fill("s3cret\nlines");
  assert.equal(
    await dialog.getByLabel("Token").evaluate((field) =>
      getComputedStyle(field).getPropertyValue("-webkit-text-security")
    ),
    "disc",
  );
  await dialog.getByLabel("Notes").fill("one\ntwo");
  await dialog.getByLabel("web", { exact: true }).check();
  await dialog.getByLabel("Environment").selectOption("prod");
  await dialog.getByLabel("Ticket").fill("T-1");
  await assertAccessible(page);
  assert.equal(await dialog.getByLabel("Notes").inputValue(), "one\ntwo");
  assert.equal(await dialog.getByLabel("Token").inputValue(), "s3cret\nlines");
  assert.ok(await dialog.getByLabel("web", { exact: true }).isChecked());
  await dialog.getByLabel("Environment").selectOption("dev");
  await dialog.getByLabel("Ticket").waitFor({ state: "detached" });
  await dialog.getByLabel("Environment").selectOption("prod");
  await dialog.getByLabel("Ticket").waitFor();
  assert.equal(await dialog.getByLabel("Ticket").inputValue(), "T-1");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.locator("#task-title").waitFor();
  const { env, parts, notes, ticket } = await stage.latest();
  assert.deepEqual({ env, parts, notes, ticket }, {
    env: "prod",
    parts: ["web"],
    notes: "one\ntwo",
    ticket: "T-1",
  });
  assert.deepEqual(problems, []);
});

Deno.test("a button asks again without a script, on a phone in the dark", async () => {
  await using stage = await newSurveyStage();
  const path = `templates/${stage.id}/tasks`;
  const { page } = await stage.open(path, { ...PHONE, javaScriptEnabled: false });
  await page.getByLabel("Environment").selectOption("prod");
  await page.getByLabel("db", { exact: true }).check();
  await page.getByRole("button", { name: "Refresh choices" }).click();
  await page.getByLabel("Ticket").fill("T-2");
  assert.ok(await page.getByLabel("db", { exact: true }).isChecked());
  await assertFitsWidth(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\?t=\d+/);
  assert.deepEqual((await stage.latest()).parts, ["db"]);

  const seen = await stage.open(path, PHONE);
  await assertAccessible(seen.page);
  const edit = await stage.open(`templates/${stage.id}/edit`, PHONE);
  await edit.page.locator("#survey > summary").click();
  for (const n of [0, 1, 2]) await edit.page.locator(`#survey-${n} > summary`).click();
  const question = edit.page.locator("#survey-0");
  await question.getByLabel("Choices from").selectOption("file");
  await question.getByLabel("File", { exact: true }).waitFor();
  assert.equal(await question.getByLabel("Choices", { exact: true }).isVisible(), false);
  await assertFitsWidth(edit.page);
  await assertAccessible(edit.page);
});
