import assert from "node:assert/strict";
import { join } from "node:path";
import { newStage } from "@/tests/support/browser/browser.ts";

/** Opens a project with a template that an integration runs in a browser. */
async function newLists() {
  const stage = await newStage("stand-in");
  const { api } = stage.server;
  const folder = await Deno.makeTempDir({ prefix: "callboard_lists_" });
  await Deno.writeTextFile(join(folder, "site.yml"), "");
  const make = async (path: string, body: unknown) => {
    const answer = await api("POST", path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const { id } = await make("/api/projects", { name: "Lists" });
  const path = `/api/project/${id}`;
  const name = "Deploy";
  const { id: ssh_key_id } = await make(`${path}/keys`, { name, type: "none" });
  const inventory = "localhost\n";
  const kept = { name, type: "static", inventory, ssh_key_id };
  const template = await make(`${path}/templates`, {
    name,
    playbook: "site.yml",
    repository_id: (await make(`${path}/repositories`, { name, git_url: folder, ssh_key_id })).id,
    inventory_id: (await make(`${path}/inventory`, kept)).id,
  });
  const view = await make(`${path}/views`, { title: "Live", position: 1 });
  await api("PUT", `${path}/templates/${template.id}`, { ...template, view_id: view.id });
  const integration = await make(`${path}/integrations`, { name, template_id: template.id });
  const { url } = await make(`${path}/integrations/${integration.id}/aliases`, {});
  const { page, problems } = await stage.open();
  const mark = () => page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  return {
    ...{ page, problems, templateId: template.id, viewId: view.id, integrationId: integration.id },
    url,
    async goto(path: string) {
      await page.goto(`/project/${id}${path}`);
      await mark();
    },
    start: async (): Promise<number> =>
      (await make(`${path}/tasks`, { template_id: template.id })).id,
    make: (kind: string, body: unknown) => make(`${path}/${kind}`, body),
    async assertSame() {
      assert.ok(await page.evaluate(() => "isSame" in globalThis), "the page was loaded anew");
      assert.deepEqual(problems, []);
    },
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("lists of templates and a template's runs follow what happens, in views too", async () => {
  await using lists = await newLists();
  const { page, templateId, viewId } = lists;
  for (const list of ["/templates", `/views/${viewId}/templates?open=${templateId}`]) {
    await lists.goto(list);
    const task = await lists.start();
    const last = page.locator(`#last-${templateId}`);
    await page.locator(`#last-log-${templateId}`).getByRole("link", { name: `#${task}` }).waitFor();
    await last.getByText("Success").waitFor();
    if (list.includes("open")) await page.locator(`#task-${task}`).getByText("Success").waitFor();
    await lists.assertSame();
  }
  await lists.goto(`/templates/${templateId}`);
  const task = await lists.start();
  await page.locator(`#runs-of-${templateId} > #task-${task}`).getByText("Success").waitFor();
  await lists.assertSame();
});

Deno.test("calls come into the log of an integration that is looked at", async () => {
  await using lists = await newLists();
  const { page } = lists;
  await lists.goto(`/integration/${lists.integrationId}`);
  for (const count of [1, 2]) {
    await (await fetch(lists.url, { method: "POST", body: "{}" })).body?.cancel();
    await page.locator(`#deliveries-list #delivery-${count}`).waitFor();
  }
  await lists.assertSame();
});

Deno.test("activity shows events and the progress of tasks while it is open", async () => {
  await using lists = await newLists();
  const { page } = lists;
  const lines = page.locator("#activity-events > tr");
  await lists.goto("/activity");
  const before = await lines.count();
  await lists.make("keys", { name: "Seen at once", type: "none" });
  await lines.first().getByText('"Seen at once"').waitFor();
  const task = await lists.start();
  await lines.first().getByRole("link", { name: `#${task} ` }).waitFor();
  await lines.first().getByText("Success").waitFor();
  assert.equal(await lines.count(), before + 2);
  await page.getByText(`1–${before + 2} of ${before + 2}`).waitFor();
  await lists.assertSame();

  await lists.goto("/activity?kind=key");
  const keys = await lines.count();
  await lists.start();
  await lists.make("keys", { name: "Second", type: "none" });
  await lines.first().getByText('"Second"').waitFor();
  assert.equal(await lines.count(), keys + 1, "a task is no key");
  await lists.assertSame();
});
