import assert from "node:assert/strict";
import { join } from "node:path";
import { newStage } from "@/tests/support/browser/browser.ts";
import type { RealServer } from "@/tests/support/server/real_server.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Makes the stand-in of Ansible print lines. */
const SETTINGS = { callboard_stand_in_lines: 6_000 };

/** Runs a task to its end and returns the address of its log. */
async function runLongTask({ api }: RealServer, folder: string): Promise<string> {
  await Deno.writeTextFile(join(folder, "site.yml"), "");
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await api("POST", path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const project = await make("/api/projects", { name: "Long" });
  const path = `/api/project/${project}`;
  const name = "Long";
  const ssh_key_id = await make(`${path}/keys`, { name, type: "none" });
  const inventory = "localhost\n";
  const template_id = await make(`${path}/templates`, {
    name,
    playbook: "site.yml",
    repository_id: await make(`${path}/repositories`, { name, git_url: folder, ssh_key_id }),
    inventory_id: await make(`${path}/inventory`, { name, type: "static", inventory, ssh_key_id }),
    environment_id: await make(`${path}/environment`, { name, json: JSON.stringify(SETTINGS) }),
  });
  const task = await make(`${path}/tasks`, { template_id });
  const isEnded = async () => {
    const { status } = (await api("GET", `${path}/tasks/${task}`)).body;
    if (status === "error") {
      throw new Error((await api("GET", `${path}/tasks/${task}/raw_output`)).body);
    }
    return status === "success";
  };
  await until(isEnded);
  return `/project/${project}/history?t=${task}`;
}

Deno.test("the log of a task opens at its end, however it arrives, and stays where it is put", async () => {
  await using stage = await newStage("stand-in");
  const folder = await Deno.makeTempDir({ prefix: "callboard_long_" });
  try {
    const url = await runLongTask(stage.server, folder);
    const { page } = await stage.open();
    for (let visit = 1; visit <= 3; visit++) {
      await page.goto(url);
      await page.getByText(/^6,?0\d\d lines$/).waitFor();
      await page.getByRole("log").getByText("PLAY RECAP").waitFor();
      assert.ok(await page.getByLabel("Follow").isChecked(), `visit ${visit}`);
      const below = await page.getByRole("log").evaluate((box) =>
        box.scrollHeight - box.scrollTop - box.clientHeight
      );
      assert.ok(below < 1, `${below} px are below what is seen`);
    }
    // Before its script has begun, the log does not notice that it is scrolled.
    await page.locator(".log-tools:not(.log-tools-unready)").waitFor();
    await page.getByRole("log").hover();
    await page.mouse.wheel(0, -2_000);
    await page.getByLabel("Follow").and(page.locator(":not(:checked)")).waitFor();
    await page.mouse.wheel(0, 9_000);
    await page.getByLabel("Follow").and(page.locator(":checked")).waitFor();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
