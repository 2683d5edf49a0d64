import assert from "node:assert/strict";
import { outbox } from "@/tests/support/services/alerting.ts";
import { join } from "node:path";
import { noIsolation } from "../../execution/process/isolation.ts";
import { runEnvironment } from "../../execution/run/environment.ts";
import { readConfig } from "../../base/settings/config.ts";
import { rowKeys } from "../../store/keys.ts";
import { failedBackupStep, readBackupReport } from "./backup_report.ts";
import { doDue } from "../../jobs/engine.ts";
import { backupWorker } from "./automatic.ts";
import { readAutomaticBackups } from "./automatic_settings.ts";
import { openStore } from "../../store/file/open_store.ts";

const STORE = { id: "1a2b3c4d-0000-4000-8000-000000000000", made: "2026-03-02T00:00:00.000Z" };
const PASSPHRASE = "a long enough passphrase";

/** A server whose backup is due, with these settings beside those of every backup. */
async function newServer(more: Record<string, string>) {
  const home = await Deno.makeTempDir({ prefix: "callboard_follow_up_" });
  const [dataDir, folder] = [join(home, "data"), join(home, "backups")];
  await Deno.mkdir(dataDir);
  const config = {
    ...{ dataDir, kv: join(dataDir, "callboard.kv"), backupFolder: folder },
    version: "1",
  };
  const kv = await openStore(config.kv);
  await kv.set(rowKeys.storeIdentity(), STORE);
  await kv.set(["things", 1], "one");
  const all = {
    ...{ CALLBOARD_BACKUP_AT: "0 3 * * *", CALLBOARD_BACKUP_PASSPHRASE: PASSPHRASE },
    ...more,
  };
  const settings = await readAutomaticBackups(new Map(Object.entries(all)), config);
  const environment = runEnvironment(
    { ...readConfig(new Map(), ""), dataDir },
    noIsolation,
    Deno.env,
  );
  const earlier = "callboard-20260304T120000Z-1a2b3c4d.age";
  await Deno.writeTextFile(join(folder, earlier), "not a backup");
  let now = new Date("2026-03-05T12:00:00Z");
  const worker = backupWorker(
    { ...settings!, workFactor: 10 },
    { current: new Uint8Array(32), previous: null, next: null },
  );
  const clock = { now: () => now, ticks: () => 0 };
  const work = () => doDue({ kv, config, clock, log: () => {}, environment }, worker);
  await work();
  return {
    ...{ dataDir, folder, kv },
    report: () => readBackupReport(dataDir),
    async workAt(time: string) {
      now = new Date(time);
      await work();
    },
    alerts: async () => (await outbox({ kv })).map(({ title }) => title.key),
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(home, { recursive: true });
    },
  };
}

Deno.test("the command after a backup gets its path and its result, and none of our secrets", async () => {
  await using server = await newServer({
    CALLBOARD_BACKUP_TEST_AT: "never",
    CALLBOARD_BACKUP_COMMAND: 'env | grep CALLBOARD_ > "$(dirname "$CALLBOARD_BACKUP_FILE")/seen"',
  });
  assert.equal((await server.report()).command?.error, null);
  const seen = (await Deno.readTextFile(join(server.folder, "seen"))).trim().split("\n").sort();
  const path = join(server.folder, "callboard-20260305T120000Z-1a2b3c4d.age");
  const { size } = await Deno.stat(path);
  assert.deepEqual(seen.filter((line) => line.startsWith("CALLBOARD_BACKUP")), [
    `CALLBOARD_BACKUP_BYTES=${size}`,
    "CALLBOARD_BACKUP_ERROR=",
    `CALLBOARD_BACKUP_FILE=${path}`,
    "CALLBOARD_BACKUP_RESULT=ok",
  ]);
  assert.doesNotMatch(seen.join(), /PASSPHRASE/);
});

Deno.test("a command that fails or hangs is reported by its last line, and raises one alert", async () => {
  for (
    const [command, reason] of [
      ["echo first; echo the target is away >&2; exit 3", /^the target is away$/],
      ["sleep 60", /^it took too long$/],
    ] as const
  ) {
    await using server = await newServer({
      CALLBOARD_BACKUP_TEST_AT: "never",
      CALLBOARD_BACKUP_COMMAND: command,
      CALLBOARD_BACKUP_COMMAND_SECONDS: "1",
    });
    const report = await server.report();
    assert.match(report.command!.error!, reason);
    assert.equal(report.command!.name, "callboard-20260305T120000Z-1a2b3c4d.age");
    assert.deepEqual([report.backup?.error, failedBackupStep(report)], [null, "command"]);
    await server.workAt("2026-03-06T12:00:00Z");
    assert.deepEqual(await server.alerts(), ["alerts.title.backup_command"]);
  }
});

Deno.test("an upload that reaches no service says so in plain words", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  await using server = await newServer({
    CALLBOARD_BACKUP_TEST_AT: "never",
    CALLBOARD_BACKUP_BUCKET_ENDPOINT: `http://127.0.0.1:${port}`,
    CALLBOARD_BACKUP_BUCKET_NAME: "backups",
    CALLBOARD_BACKUP_BUCKET_ACCESS_KEY: "name",
    CALLBOARD_BACKUP_BUCKET_SECRET_KEY: "the secret of the key",
  });
  const { error } = (await server.report()).upload!;
  assert.match(error!, /^connection refused, no service listens there/);
  assert.doesNotMatch(error!, /the secret of the key/);
});

Deno.test("the latest backup is tested at its times, and a damaged one is found", async () => {
  await using server = await newServer({ CALLBOARD_BACKUP_TEST_AT: "0 5 * * *" });
  await server.workAt("2026-03-06T04:00:00Z");
  assert.equal((await server.report()).test, undefined);
  await server.workAt("2026-03-06T06:00:00Z");
  const { test } = await server.report();
  assert.deepEqual([test?.error, test?.name], [null, "callboard-20260306T040000Z-1a2b3c4d.age"]);
  assert.ok(Number(test?.detail) >= 2);
  await server.workAt("2026-03-07T04:00:00Z");
  const next = join(server.folder, "callboard-20260307T040000Z-1a2b3c4d.age");
  await Deno.truncate(next, 400);
  await server.workAt("2026-03-07T06:00:00Z");
  assert.match((await server.report()).test!.error!, /is damaged or incomplete$/);
  await assert.rejects(Deno.stat(join(server.dataDir, "backup_test.tmp")), Deno.errors.NotFound);
});
