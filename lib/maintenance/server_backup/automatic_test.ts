import assert from "node:assert/strict";
import { Cron } from "croner";
import { join } from "node:path";
import { noIsolation } from "../../execution/process/isolation.ts";
import { runEnvironment } from "../../execution/run/environment.ts";
import { readConfig } from "../../base/settings/config.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Log } from "../../base/log.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { doDue } from "../../jobs/engine.ts";
import { backupWatch, backupWorker, endBackups } from "./automatic.ts";
import { lockBackupFolder, readAutomaticBackups } from "./automatic_settings.ts";
import { verifyBackup } from "./verify.ts";
import { openStore } from "../../store/file/open_store.ts";

const PASSPHRASE = "a long enough passphrase";
const STORE = { id: "1a2b3c4d-0000-4000-8000-000000000000", made: "2026-03-02T00:00:00.000Z" };
const SECRET_KEYS = { current: new Uint8Array(32).fill(7), previous: null, next: null };

async function newStage(keep: number) {
  const home = await Deno.makeTempDir({ prefix: "callboard_automatic_" });
  const [dataDir, folder] = [join(home, "data"), join(home, "backups")];
  await Deno.mkdir(dataDir);
  const kvFile = join(dataDir, "callboard.kv");
  const config = { dataDir, kv: kvFile, backupFolder: folder, version: "" };
  const kv = await openStore(config.kv);
  await kv.set(rowKeys.storeIdentity(), STORE);
  const settings = await readAutomaticBackups(
    new Map([
      ["CALLBOARD_BACKUP_AT", "0 3 * * *"],
      ["CALLBOARD_BACKUP_KEEP", String(keep)],
      ["CALLBOARD_BACKUP_PASSPHRASE", PASSPHRASE],
    ]),
    config,
  );
  const environment = runEnvironment(
    { ...readConfig(new Map(), ""), dataDir },
    noIsolation,
    Deno.env,
  );
  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  // The usual cost of a passphrase is a second of CPU for each backup.
  const newWorker = () => backupWorker({ ...settings!, workFactor: 10 }, SECRET_KEYS);
  let now = new Date(0);
  const clock = { now: () => now, ticks: () => performance.now() };
  const work = async (at: Date, log: Log = () => {}, worker = newWorker()) => {
    now = at;
    await doDue({ kv, config, clock, log, environment }, worker);
  };
  const watch = (now: Date) =>
    backupWatch(settings, { kv, config, clock: { now: () => now, ticks: () => 0 } });
  /** Does what is due at a start, and returns the first event of the log. */
  const startAt = async (now: Date) => {
    const logged: [string, Record<string, unknown>][] = [];
    await work(now, (_, event, details = {}) => void logged.push([event, details]));
    return logged[0];
  };
  const dispose = async () => {
    kv.close();
    await Deno.remove(home, { recursive: true });
  };
  return {
    kv,
    config,
    folder,
    names,
    newWorker,
    work,
    watch,
    startAt,
    [Symbol.asyncDispose]: dispose,
  };
}

const nameOf = (day: number, id = "-1a2b3c4d") =>
  `callboard-202603${String(day).padStart(2, "0")}T120000Z${id}.age`;

Deno.test("a backup that is due is written, and the oldest ones of the server are removed", async () => {
  await using stage = await newStage(2);
  const ours = [nameOf(1), nameOf(2), nameOf(3)];
  const others = ["callboard-20250101T120000Z.age.old", "holiday.jpg", "other.age.partial"];
  const partial = `${nameOf(4)}.partial`;
  for (const name of [...ours, ...others, partial]) {
    await Deno.writeTextFile(join(stage.folder, name), "");
  }
  const [event, { to }] = await stage.startAt(new Date("2026-03-05T12:00:00Z"));
  assert.equal(event, "automatic_backup_written");
  assert.equal(to, join(stage.folder, nameOf(5)));
  assert.deepEqual(stage.names(), [nameOf(3), nameOf(5), ...others].sort());
  const contents = await verifyBackup({ passphrase: PASSPHRASE, from: to as string });
  // With the three rows of this work.
  assert.equal(contents.rows, 4);
});

Deno.test("a backup that fails removes nothing, and its log says why", async () => {
  await using stage = await newStage(1);
  const ours = [nameOf(1), nameOf(2)];
  for (const name of ours) await Deno.writeTextFile(join(stage.folder, name), "");
  await Deno.mkdir(join(stage.folder, `${nameOf(5)}.partial`));
  const [event, { error }] = await stage.startAt(new Date("2026-03-05T12:00:00Z"));
  assert.equal(event, "job_failed");
  assert.match(
    String(error),
    /callboard-20260305T120000Z-1a2b3c4d\.age cannot be written: it is a folder/,
  );
  assert.deepEqual(stage.names().filter((name) => ours.includes(name)), ours);
});

Deno.test("a start removes what a killed backup has left, and waits for the next time", async () => {
  await using stage = await newStage(2);
  const partial = join(stage.folder, `${nameOf(4)}.partial`);
  await Deno.writeTextFile(partial, "");
  await Deno.writeTextFile(join(stage.folder, nameOf(5)), "");
  const copy = join(stage.config.dataDir, "backup.tmp");
  await Deno.mkdir(copy);
  await stage.work(new Date("2026-03-05T13:00:00Z"));
  assert.deepEqual(stage.names(), [nameOf(5)]);
  await assert.rejects(Deno.stat(copy), Deno.errors.NotFound);
});

Deno.test("a name in the future, from a wrong clock, does not prevent backups", async () => {
  await using stage = await newStage(1);
  await Deno.writeTextFile(join(stage.folder, nameOf(1)), "");
  await Deno.writeTextFile(join(stage.folder, nameOf(30)), "");
  const [event] = await stage.startAt(new Date("2026-03-05T12:00:00Z"));
  assert.equal(event, "automatic_backup_written");
  assert.deepEqual(stage.names(), [nameOf(5), nameOf(30)]);
});

Deno.test("a server that starts with a wrong clock creates its first backup once it is right", async () => {
  await using stage = await newStage(1);
  const worker = stage.newWorker();
  for (const time of ["2036-03-05T12:00:00Z", "2026-03-05T12:00:00Z", "2026-03-06T12:00:00Z"]) {
    await stage.work(new Date(time), () => {}, worker);
  }
  assert.deepEqual(stage.names(), [nameOf(6)]);
});

Deno.test("a server without automatic backups keeps no work for them", async () => {
  await using stage = await newStage(1);
  await stage.work(new Date("2026-03-05T12:00:00Z"));
  const jobs = () => Array.fromAsync(stage.kv.list({ prefix: ["jobs"] }));
  assert.equal((await jobs()).length, 1);
  await endBackups(stage);
  await endBackups(stage);
  assert.deepEqual(await jobs(), []);
  assert.deepEqual(await Array.fromAsync(stage.kv.list({ prefix: ["jobs_due"] })), []);
});

/** Writes backups of given sizes, one for each day of March from the first. */
async function writeBackups(folder: string, sizes: Record<string, number>): Promise<void> {
  for (const [name, bytes] of Object.entries(sizes)) {
    await Deno.writeFile(join(folder, name), new Uint8Array(bytes));
  }
}

Deno.test("backups of another store stay", async () => {
  await using stage = await newStage(1);
  const others = [nameOf(3, "-00000000"), nameOf(4, "-00000000")];
  const ours = [nameOf(2), nameOf(3), nameOf(4)];
  await writeBackups(stage.folder, Object.fromEntries([...others, ...ours].map((n) => [n, 9])));
  const now = new Date("2026-03-05T12:00:00Z");
  await stage.startAt(now);
  assert.deepEqual(stage.names(), [...others, nameOf(5)].sort());
  assert.deepEqual(await stage.watch(now)(), { overdue: false, left: 2, failed: null });
});

Deno.test("the last backup before the store shrank by more than half is never removed", async () => {
  await using stage = await newStage(1);
  // The backup of the stage itself has some 500 bytes.
  await writeBackups(stage.folder, { [nameOf(2)]: 900_000, [nameOf(3)]: 800_000 });
  await stage.startAt(new Date("2026-03-05T12:00:00Z"));
  const kept = nameOf(3).replace(".age", ".kept.age");
  assert.deepEqual(stage.names(), [kept, nameOf(5)].sort());
  await stage.startAt(new Date("2026-03-06T12:00:00Z"));
  const now = new Date("2026-03-07T12:00:00Z");
  await stage.startAt(now);
  assert.deepEqual(stage.names(), [kept, nameOf(7)].sort());
  assert.deepEqual(await stage.watch(now)(), { overdue: false, left: 1, failed: null });
});

Deno.test("backups that shrink by less than half are removed in turn", async () => {
  await using stage = await newStage(1);
  const sizes = { [nameOf(2)]: 1_500, [nameOf(3)]: 1_200, [nameOf(4)]: 700 };
  await writeBackups(stage.folder, sizes);
  await stage.startAt(new Date("2026-03-05T12:00:00Z"));
  assert.deepEqual(stage.names(), [nameOf(5)]);
});

Deno.test("two servers that run do not use the same folder", async () => {
  await using stage = await newStage(1);
  const first = await lockBackupFolder(stage.folder);
  await assert.rejects(lockBackupFolder(stage.folder, 50), /Give each server its own/);
  first.close();
  (await lockBackupFolder(stage.folder)).close();
});

Deno.test("backups are overdue after two intervals, counted from the start if there is none", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_automatic_" });
  try {
    const cron = new Cron("0 3 * * *", { mode: "5-part" });
    let now = new Date(2026, 2, 5, 12);
    using kv = await openStore(":memory:");
    await kv.set(rowKeys.storeIdentity(), STORE);
    const config = { dataDir: folder, kv: ":memory:", version: "" };
    const clock = { now: () => now, ticks: () => 0 };
    const watch = backupWatch({ cron, folder }, { kv, clock, config });
    const isOverdue = async () => (await watch()).overdue;
    assert.equal(watch(), watch(), "one look at a time");
    assert.equal(await isOverdue(), false);
    now = new Date(2026, 2, 7, 2, 59);
    assert.equal(await isOverdue(), false);
    now = new Date(2026, 2, 7, 3, 1);
    assert.equal(await isOverdue(), true);
    await Deno.writeTextFile(join(folder, nameOf(6)), "");
    assert.equal(await isOverdue(), false);
    now = new Date(2026, 2, 9, 12);
    assert.equal(await isOverdue(), true);
    await Deno.remove(folder, { recursive: true });
    await assert.rejects(isOverdue());
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
});

Deno.test("settings of automatic backups that cannot work are refused", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_automatic_" });
  const all = {
    CALLBOARD_BACKUP_AT: "0 3 * * *",
    CALLBOARD_BACKUP_TO: folder,
    CALLBOARD_BACKUP_PASSPHRASE: PASSPHRASE,
  };
  const read = (changes: Record<string, string>) => {
    const env = new Map(Object.entries({ ...all, ...changes }));
    return readAutomaticBackups(env, readConfig(env, ""));
  };
  try {
    assert.equal((await read({}))?.keep, 7);
    assert.equal(await read({ CALLBOARD_BACKUP_AT: "", CALLBOARD_BACKUP_TO: "" }), null);
    const cases: [Record<string, string>, RegExp][] = [
      [{ CALLBOARD_BACKUP_AT: "" }, /require each other/],
      [{ CALLBOARD_BACKUP_TO: "" }, /require each other/],
      [{ CALLBOARD_BACKUP_PASSPHRASE: "" }, /requires CALLBOARD_BACKUP_PASSPHRASE/],
      [
        { CALLBOARD_BACKUP_PASSPHRASE: "short" },
        /^CALLBOARD_BACKUP_PASSPHRASE must have at least 8 characters/,
      ],
      [{ CALLBOARD_BACKUP_KEEP: "0" }, /at least 1/],
      [{ CALLBOARD_BACKUP_TO: "/proc/backups" }, /CALLBOARD_BACKUP_TO.* cannot be used/],
      ...["often", "* * * *", "0 0 30 2 *", "* * * * * *"].map((at): [typeof all, RegExp] => [
        { ...all, CALLBOARD_BACKUP_AT: at },
        /must be five fields of cron/,
      ]),
    ];
    for (const [changes, reason] of cases) {
      await assert.rejects(read(changes), (error) => {
        return error instanceof ConfigError && reason.test(error.message);
      }, JSON.stringify(changes));
    }
    const shared = read({ CALLBOARD_KV: "https://kv.example.com" });
    await assert.rejects(shared, /address of a service/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
