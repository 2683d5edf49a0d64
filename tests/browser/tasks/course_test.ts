import assert from "node:assert/strict";
import { join } from "node:path";
import {
  assertAccessible,
  assertFitsWidth,
  isQuiet,
  newContexts,
  openVisit,
  type Visit,
} from "@/tests/support/browser/browser.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";

const HOSTS = ["web1", "web2", "web3", "db"];

const playbook = (home: string) => `
- name: Web servers
  hosts: all
  gather_facts: false
  tasks:
    - name: Restart the service
      raw: "true"
      changed_when: true
    - name: Write the message of the day
      lineinfile:
        path: ${home}/motd
        create: true
        line: "welcome <script>alert(1)</script>\\nto {{ group_names | length }} groups"
      when: ansible_check_mode or inventory_hostname == "web1"
    - name: Write each host's settings
      lineinfile:
        path: ${home}/{{ inventory_hostname }}.conf
        create: true
        line: name={{ inventory_hostname }}
- name: Database
  hosts: db
  gather_facts: false
  tasks:
    - name: Wait for the backup
      raw: sleep 2
      changed_when: false
    - name: Fails on purpose
      raw: "false"
      ignore_errors: true
`;

/** Runs a play that changes something, after a dry run that only reports the changes. */
async function runTwice(project: RealProject) {
  const git = await newGitRepository(join(project.home, "plays"));
  await git.commit({ "site.yml": playbook(project.home) }, "Play");
  const { noKey: ssh_key_id } = project;
  const repository_id = await project.make("repositories", {
    name: "Plays",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id,
  });
  const inventory_id = await project.make("inventory", {
    name: "Some",
    type: "static",
    inventory: hostsOf(...HOSTS),
    ssh_key_id,
  });
  const template = await project.makeTemplate({ repository_id, inventory_id });
  const preview = await project.run(template, { dry_run: true, diff: true });
  const real = await project.run(template, { diff: true });
  assert.equal(real.task.status, "success", real.log);
  return { preview: preview.task.id, real: real.task.id };
}

const TABS = [
  "timeline",
  "timeline?task=1",
  "changes",
  "changes?by=host",
  "changes?by=host&host=1",
];

/** Checks everything in the two tabs on a phone in dark mode. */
async function lookAtPhone(visit: Visit, task: string, hasScript: boolean) {
  const { page } = visit;
  for (const tab of TABS) {
    await page.goto(`${task}/${tab}`);
    assert.equal(await page.locator("#task-tab").count(), 1);
    await assertFitsWidth(page);
    if (hasScript) await assertAccessible(page);
    if (!hasScript && Deno.env.get("LOOK")) {
      await page.screenshot({ path: `/tmp/course_${tab.replace(/\W/g, "_")}.png` });
    }
  }
  await page.locator(".diff", { hasText: "+name=" }).waitFor();
  const copy = page.getByRole("button", { name: /^Copy the diff of/ }).first();
  assert.equal(await copy.isVisible(), hasScript);
}

Deno.test("times and changes of a run are seen, sorted, copied and followed, with a script and without", async () => {
  await using project = await addRealProject();
  const ids = await runTwice(project);
  const pageOf = (id: number) => `/project/${project.id}/tasks/${id}`;
  await using contexts = await newContexts();
  const { page, problems } = await openVisit(contexts, project.server, {
    viewport: { width: 1280, height: 900 },
  });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/project/${project.id}/history?t=${ids.real}&tab=timeline`);
  await isQuiet(page);
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  const dialog = page.getByRole("dialog");
  const main = dialog.locator("tbody .cell-main");
  await dialog.getByRole("link", { name: "Slowest first" }).click();
  await dialog.locator('#timeline-slowest[aria-current="true"]').waitFor();
  const widths = await dialog.locator(".time-bar rect").evaluateAll((bars) =>
    bars.map((bar) => parseFloat(bar.getAttribute("width")!))
  );
  assert.equal(widths.length, 5);
  assert.deepEqual(widths, widths.toSorted((a, b) => b - a));
  const waits = dialog.getByRole("row", { name: "Wait for the backup" });
  assert.match(await waits.innerText(), /\d+(\.\d+)?s\s+\d+%[^]*\bdb\b/);
  await assertAccessible(page);
  await waits.locator(".time-bar rect").click();
  await dialog.getByRole("heading", { name: "Wait for the backup" }).waitFor();
  assert.equal(await main.innerText(), "db");

  await dialog.getByRole("link", { name: /^Changes/ }).click();
  await dialog.getByRole("heading", { name: `${project.home}/motd` }).waitFor();
  assert.equal(await dialog.locator(".change").count(), 5);
  assert.equal(await dialog.locator(".change script").count(), 0);
  await dialog.getByRole("button", { name: `Copy the diff of ${project.home}/db.conf` })
    .click();
  await page.getByText("The diff has been copied").waitFor();
  assert.match(
    await page.evaluate(() => navigator.clipboard.readText()),
    /^--- .*\/db.conf .*\n\+\+\+ .*\n@@ -0,0 \+1 @@\n\+name=db\n$/,
  );
  await dialog.getByRole("link", { name: "By host" }).click();
  await dialog.getByRole("table").getByRole("link", { name: "web1" }).click();
  await dialog.getByRole("heading", { name: "web1", exact: true }).waitFor();
  assert.equal(await dialog.locator(".change").count(), 2);
  assert.ok(await page.evaluate(() => "isSame" in globalThis));

  await page.goto(`${pageOf(ids.preview)}/changes`);
  await page.getByText("These are the changes that").waitFor();
  await page.getByText("The same change on 4 hosts").first().click();
  await assertAccessible(page);
  if (Deno.env.get("LOOK")) await page.screenshot({ path: "/tmp/course_preview.png" });
  assert.deepEqual(problems, []);

  for (const javaScriptEnabled of [true, false]) {
    const phone = { viewport: { width: 390, height: 800 }, colorScheme: "dark" } as const;
    const visit = await openVisit(contexts, project.server, { ...phone, javaScriptEnabled });
    await lookAtPhone(visit, pageOf(ids.real), javaScriptEnabled);
  }
});
