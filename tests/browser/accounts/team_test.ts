import assert from "node:assert/strict";
import { assertAccessible, isQuiet, lookAt } from "@/tests/support/browser/browser.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Page } from "@/tests/packages/playwright.ts";

const roleOf = (page: Page, name: string) => page.getByLabel(`Role of ${name}`);

async function storedRole(world: World, username: string): Promise<string> {
  const { body } = await world.api("erin", "GET", `/api/project/${world.web.id}/users`);
  return body.find((member: { username: string }) => member.username === username).role;
}

Deno.test("a chosen role is saved immediately, and Undo takes it back", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "alice");
  const { page, problems } = visit;
  await page.goto(`/project/${world.web.id}/team`);
  await isQuiet(page);
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  await roleOf(page, "Bob").selectOption("manager");
  await page.getByText("Bob is now a manager").waitFor();
  assert.equal(await storedRole(world, "bob"), "manager");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Bob is now a task runner").waitFor();
  assert.equal(await storedRole(world, "bob"), "task_runner");
  assert.equal(await roleOf(page, "Bob").inputValue(), "task_runner");
  assert.deepEqual(problems, []);
});

Deno.test("arrow keys only move in a role; Enter or leaving it saves, Escape does not", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "alice");
  const { page } = visit;
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.postData() ?? "");
  });
  await page.goto(`/project/${world.web.id}/team`);
  await isQuiet(page);
  posts.length = 0;
  const role = roleOf(page, "Bob");
  await role.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await role.inputValue(), "owner");
  await page.getByRole("button", { name: "Save" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await role.inputValue(), "task_runner");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByText("Bob is now a manager").waitFor();
  assert.equal(posts.length, 1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await roleOf(page, "Carol").focus();
  await page.getByText("Bob is now a guest").waitFor();
  assert.equal(posts.length, 2);
  assert.equal(await storedRole(world, "bob"), "guest");
});

Deno.test("a role that is refused is put back, and its row says why", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "erin");
  const { page } = visit;
  await page.goto(`/project/${world.web.id}/team`);
  await isQuiet(page);
  await roleOf(page, "Alice").selectOption("guest");
  const row = page.getByRole("row", { name: "Alice" });
  await row.getByText("This is the last owner of the project").waitFor();
  assert.equal(await roleOf(page, "Alice").inputValue(), "owner");

  // Someone who has lost the right to change roles is told so.
  const { id } = world.people.bob;
  await page.route(/\/team$/, async (route) => {
    if (route.request().method() === "POST") await route.fulfill({ status: 403, body: "" });
    else await route.continue();
  });
  await roleOf(page, "Bob").selectOption("owner");
  await page.locator(".flash.alert-danger").waitFor();
  assert.equal(await page.locator(`#role-${id}`).inputValue(), "task_runner");
});

Deno.test("people save their own role by a button, and without a script all roles", async () => {
  await using world = await newWorld();
  const team = `/project/${world.web.id}/team`;
  const bob = String(world.people.bob.id);
  await world.post("alice", team, { user_id: bob, role: "owner" });
  await using scripted = await lookAt(world, "alice");
  await scripted.page.goto(team);
  await isQuiet(scripted.page);
  await roleOf(scripted.page, "Alice").selectOption("manager");
  await scripted.page.getByRole("button", { name: "Save" }).click();
  await scripted.page.getByText("Alice is now a manager").waitFor();
  assert.equal(await scripted.page.getByRole("button", { name: "Undo" }).count(), 0);

  await using plain = await lookAt(world, "bob", { javaScriptEnabled: false });
  await plain.page.goto(team);
  assert.equal(await plain.page.getByRole("button", { name: "Save" }).count(), 0);
  await roleOf(plain.page, "Carol").selectOption("manager");
  await plain.page.getByRole("button", { name: "Save" }).click();
  await plain.page.getByText("Carol is now a manager").waitFor();
  assert.equal(await storedRole(world, "carol"), "manager");
});

Deno.test("Erin adds someone new in the dialog, and copies the link", async () => {
  await using world = await newWorld();
  await using visit = await lookAt(world, "erin");
  const { page, problems } = visit;
  await page.goto(`/project/${world.web.id}/team`);
  await isQuiet(page);
  await page.getByRole("link", { name: "New team member" }).click();
  await page.getByText("Is new here").click();
  assert.equal(await page.getByLabel("User", { exact: true }).isVisible(), false);
  await assertAccessible(page);
  await page.getByLabel("Name").fill("Nora Night");
  await page.getByLabel("E-mail").fill("nora@example.com");
  await page.getByLabel("Guest").check();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("It sets the password, works once").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Copy the link" }).waitFor();
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("row", { name: "Nora Night" }).waitFor();
  assert.equal(await storedRole(world, "nora"), "guest");
  assert.deepEqual(problems, []);
});
