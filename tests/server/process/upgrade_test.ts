import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import { answerUpgrading } from "@/lib/web/server/upgrade_answers.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { oldData, serve, TASKS } from "@/tests/support/server/old_data.ts";
import { until } from "@/tests/support/basics/until.ts";

Deno.test("an upgrade answers while it runs, ends when it is asked to, and continues at the next start", async () => {
  const dataDir = await oldData();
  const port = freePort();
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  try {
    // The copy before an upgrade has a test of its own.
    const first = serve(dataDir, port, { CALLBOARD_UPGRADE_BACKUP: "false" });
    let health: Response | null = null;
    await until(async () => (health = await get("/api/health")) !== null);
    assert.equal(health!.status, 503);
    const { status, checks } = await health!.json();
    assert.equal(status, "failing");
    assert.match(checks.store.reason, /upgrading its data. Step \d+ of \d+, rows so far: [\d,]+/);
    await until(() => first.said().includes("upgrade_started"));
    assert.equal(await first.end(), 0);
    assert.match(first.said(), /"event":"upgrade_stopped"/);
    assert.match(first.said(), /^Stopped during an upgrade. The next start continues it.$/m);

    const second = serve(dataDir, port, { CALLBOARD_UPGRADE_BACKUP: "false" });
    await until(async () => (await get("/api/ping"))?.status === 200, 180_000);
    assert.match(second.said(), /"event":"upgrade_finished"/);
    assert.equal(await second.end(), 0);
    using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
    const { value } = await kv.get<Deno.KvU64>(rowKeys.rowCount(1, "tasks"));
    assert.equal(value!.value, BigInt(TASKS));
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("people and programs read of an upgrade, in their language and below a sub-path", async () => {
  const progress = { step: 3, steps: 9, name: "indexHistory", rows: 1200 };
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
