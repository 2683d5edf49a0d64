import assert from "node:assert/strict";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { assertAccessible, assertFitsWidth, lookAt } from "@/tests/support/browser/browser.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const HOSTS = [
  ...Array.from({ length: 12 }, (_, n) => `web-${n + 1}.example.com`),
  "db-1.example.com",
  "cache.a-host-with-quite-a-long-name.internal.example.com",
];
const TASKS = [
  "Read what is installed",
  "Install the packages",
  "Write the configuration of all services and <b>of their</b> virtual hosts",
  "Restart the service",
  "Wait until it answers",
];
const MESSAGE = "No package matching 'nginx-extras' is available in any of the repositories";

/**
 * Events of a run on all hosts. The later run fails on some, is slower, and reaches other hosts.
 */
function* events(isLater: boolean): Generator<RunEvent> {
  yield play("Web servers");
  const failed = new Set<string>();
  for (const [n, name] of TASKS.entries()) {
    yield { ...task(`t${n}`), name, role: n === 1 ? "nginx" : "", line: n + 1 } as RunEvent;
    for (const [h, host] of [...HOSTS, isLater ? "new.example.com" : "old.example.com"].entries()) {
      if (failed.has(host)) continue;
      const fails = isLater && n === 1 && h < 11;
      if (fails) failed.add(host);
      yield result(`t${n}`, host, {
        status: fails
          ? h === 10 ? "unreachable" : "failed"
          : isLater && n === 2 && h === 12
          ? "changed"
          : "ok",
        message: fails ? MESSAGE : "",
        ended: EPOCH + 1_000 * (n + 1) * (isLater ? [1, 4, 1, 0.2, 1.05][n] : 1),
      });
    }
  }
  yield { type: "end", at: EPOCH + 60_000, lost: 0 };
}

async function fill(world: World) {
  const [base, run] = [await reportedTask(world), await reportedTask(world)];
  await base.report(...events(false));
  await base.end();
  await run.report(...events(true));
  await run.end("error");
  return { base, run };
}

Deno.test("a failed run leads to its differences from the last successful one", async () => {
  await using world = await newWorld();
  const { run, base } = await fill(world);
  for (const javaScriptEnabled of [true, false]) {
    await using visit = await lookAt(world, "carol", { javaScriptEnabled });
    const { page, problems } = visit;
    await page.goto(run.path.replace("/api", ""));
    await page.getByRole("link", { name: "Compare with the last successful task" })
      .click();
    const section = page.locator("#compare-results");
    await section.getByText("Ansible tasks had different results on 12 of 14 hosts.").waitFor();
    const rows = page.locator("#compare-results tbody").first().locator("tr");
    assert.match(await rows.nth(0).innerText(), /^web-1\.example\.com.*and 2 more$/s);
    const install = rows.nth(1);
    assert.match(await install.innerText(), /nginx : Install the packages.*failed.*ok/s);
    assert.equal(await rows.nth(2).innerText(), MESSAGE);
    await section.getByText(`Only in #${run.id}:`).getByRole("link", { name: "new." }).waitFor();
    const slow = page.locator("#compare-durations tbody tr").first();
    assert.match(await slow.innerText(), /Install the packages.*8s.*2s.*\+6s \+300%/s);
    await install.getByRole("link", { name: "ok" }).click();
    await page.getByRole("heading", { name: /Install the packages/ }).waitFor();
    await page.getByRole("heading", { name: `Deploy shop #${base.id}` }).waitFor();
    assert.match(page.url(), new RegExp(`/compare\\?a=${run.id}&b=${base.id}&t=${base.id}`));
    assert.deepEqual(problems, []);
  }
});

Deno.test("the comparison is readable on a phone, in the dark and for everyone", async () => {
  await using world = await newWorld();
  const { run } = await fill(world);
  for (const [width, colorScheme] of [[390, "dark"], [1280, "light"], [360, "light"]] as const) {
    const viewport = { width, height: 900 };
    await using visit = await lookAt(world, "carol", { viewport, colorScheme });
    const { page, problems } = visit;
    await page.goto(
      `/project/${world.web.id}/templates/${world.deploy.id}/compare?a=${run.id}`,
    );
    await assertFitsWidth(page);
    await assertAccessible(page);
    const cut = await page.locator(".compare-table :is(td, th)").evaluateAll((cells) =>
      cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent)
    );
    assert.deepEqual(cut, []);
    assert.deepEqual(problems, []);
    if (Deno.env.get("LOOK")) {
      await page.screenshot({ path: `/tmp/compare_${width}.png`, fullPage: true });
    }
  }
});
