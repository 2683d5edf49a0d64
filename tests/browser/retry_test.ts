import assert from "node:assert/strict";
import { assertAccessible, assertFitsWidth, isQuiet, lookAt } from "@/tests/support/browser.ts";
import { play, result, task, toldTask } from "@/tests/support/told_task.ts";
import { newWorld } from "@/tests/support/world.ts";

Deno.test("a person repeats a task on failed hosts, with options or by one click without a script", async () => {
  await using world = await newWorld();
  const told = await toldTask(world);
  await told.tell(
    play("Web"),
    task("a"),
    ...Array.from({ length: 9 }, (_, n) =>
      result("a", `web${n}`, {
        status: n === 7 ? "unreachable" : n > 5 ? "failed" : "ok",
        message: "no space left",
      })),
  );
  await told.end("error");
  const path = `/project/${world.web.id}/tasks/${told.id}`;
  const shot = Deno.env.get("SHOTS");
  for (const width of [1280, 390]) {
    await using visit = await lookAt(world, "mike", {
      colorScheme: width === 390 ? "dark" : "light",
      viewport: { width, height: 844 },
    });
    const { page, problems } = visit;
    await page.goto(path);
    await isQuiet(page);
    await page.getByRole("button", { name: "Run again on the 3 failed or unreachable" }).waitFor();
    await assertFitsWidth(page);
    await assertAccessible(page);
    if (shot) await page.screenshot({ path: `${shot}/task_${width}.png` });
    await page.getByRole("link", { name: "Retry options" }).click();
    await page.getByLabel("Hosts", { exact: true }).selectOption({ label: "Failed (2)" });
    await page.getByLabel('Start at the Ansible task "Task a"').waitFor();
    await assertAccessible(page);
    if (shot) await page.screenshot({ path: `${shot}/form_${width}.png` });
    await page.getByRole("button", { name: "Run again", exact: true }).click();
    await page.getByText(`Repeats task #${told.id} on 2 of 9 hosts`).waitFor();
    if (shot) await page.screenshot({ path: `${shot}/made_${width}.png` });
    assert.deepEqual(problems, []);
  }
  await using visit = await lookAt(world, "bob", { javaScriptEnabled: false });
  await visit.page.goto(path);
  await visit.page.getByRole("button", { name: "Run again on the 3" }).click();
  await visit.page.getByText(/on 3 of 9 hosts/).waitFor();
});
