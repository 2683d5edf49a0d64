import assert from "node:assert/strict";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { readConfig } from "@/lib/base/settings/config.ts";
import { FIRST_VERSION, type Migration } from "@/lib/maintenance/migrations.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { upgradeStore } from "@/lib/web/server/upgrade.ts";
import { answerUpgrading } from "@/lib/web/server/upgrade_answers.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { until } from "@/tests/support/basics/until.ts";

Deno.test("an upgrade answers while it runs, ends when it is asked to, and continues at the next start", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_upgrade_" });
  const port = freePort();
  const settings = {
    CALLBOARD_DATA: dataDir,
    CALLBOARD_PORT: `${port}`,
    CALLBOARD_UPGRADE_BACKUP: "false",
  };
  let isHeld = true;
  const slow: Migration = async (_kv, course) => {
    while (isHeld) {
      course.count(1);
      await sleep(10);
    }
  };
  try {
    using kv = await openStore(`${dataDir}/callboard.kv`);
    await kv.set(rowKeys.storeVersion(), FIRST_VERSION);
    const events: string[] = [];
    const upgrade = async () =>
      await upgradeStore({
        kv,
        clock: { now: () => new Date(), ticks: () => performance.now() },
        secrets: await createSecretBox(new Uint8Array(32)),
        config: readConfig(new Map(Object.entries(settings)), dataDir),
        certificate: null,
        manager: { notify() {}, watchdogMs: null, close() {} },
        log: (_level, event) => void events.push(event),
        migrations: [slow],
      });
    const first = assert.rejects(upgrade, /^Ended: Stopped during an upgrade\. The next start/);
    let health: Response | null = null;
    const ask = () => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    await until(async () => (health = await ask()) !== null);
    assert.equal(health!.status, 503);
    const { status, checks } = await health!.json();
    assert.equal(status, "failing");
    assert.match(checks.store.reason, /upgrading its data. Step 1 of 1, rows so far: [\d,]+/);
    Deno.kill(Deno.pid, "SIGTERM");
    await first;
    assert.ok(events.includes("upgrade_stopped"));
    assert.equal((await kv.get(rowKeys.storeVersion())).value, FIRST_VERSION);

    isHeld = false;
    await upgrade();
    assert.equal(events.at(-1), "upgrade_finished");
    assert.equal((await kv.get(rowKeys.storeVersion())).value, FIRST_VERSION + 1);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("people and programs read of an upgrade, in their language and below a sub-path", async () => {
  const progress = { step: 3, steps: 9, name: "keepRows", rows: 1200 };
  const ask = (path: string, language = "en", copied: number | null = null, bearer = "") =>
    answerUpgrading(
      new Request(`http://callboard${path}`, {
        headers: { "accept-language": language, authorization: `Bearer ${bearer}` },
      }),
      { basePath: "/sub", metricsToken: "prometheus" },
      { ...progress, copied },
    );
  for (const path of ["/sub/api/ping", "/sub/api/health", "/sub/api/projects", "/sub/"]) {
    const answer = await ask(path);
    assert.equal(answer.status, 503, path);
    assert.equal(answer.headers.get("retry-after"), "5");
    assert.doesNotMatch(await answer.text(), /pong/);
  }
  const html = await (await ask("/sub/project/1/history", "de-AT,de;q=0.9")).text();
  assert.match(html, /<html lang="de">/);
  assert.match(html, /http-equiv="refresh" content="5"/);
  assert.match(html, /Schritt 3 von 9, Zeilen bisher: 1\.200\./);
  const { checks } = await (await ask("/sub/api/health", "en", 40)).json();
  assert.match(checks.store.reason, /copying its data before an upgrade. 40% is done/);
  assert.equal((await ask("/sub/metrics")).status, 401);
  const metrics = await ask("/sub/metrics", "en", null, "prometheus");
  assert.equal(metrics.status, 200);
  assert.match(await metrics.text(), /^callboard_upgrade_running 1$/m);
});
