import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { runEnvironment } from "@/lib/execution/run/environment.ts";
import { readConfig } from "@/lib/base/settings/config.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { backupWorker } from "@/lib/maintenance/server_backup/automatic.ts";
import { readAutomaticBackups } from "@/lib/maintenance/server_backup/automatic_settings.ts";
import { verifyBackup } from "@/lib/maintenance/server_backup/verify.ts";
import {
  type Bucket,
  fetchObject,
  listObjects,
  PART_BYTES,
  putObject,
} from "@/lib/maintenance/server_backup/s3.ts";
import { uploadBackups } from "@/lib/maintenance/server_backup/upload.ts";
import { readBackupReport } from "@/lib/maintenance/server_backup/backup_report.ts";
import { startMoto } from "@/tests/support/programs/moto.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

const STORE = { id: "1a2b3c4d-0000-4000-8000-000000000000", made: "2026-03-02T00:00:00.000Z" };
const PASSPHRASE = "a long enough passphrase";
const NOW = new Date("2026-03-05T12:00:00Z");
const nameOf = (day: number, store = "1a2b3c4d") => `callboard-2026030${day}T120000Z-${store}.age`;

const moto = await startMoto();

const bucketAt = (endpoint: string, prefix: string): Bucket => ({
  ...{ endpoint, bucket: "safe", prefix, region: "us-east-1", pathStyle: true },
  ...{ accessKeyId: "callboard", secretAccessKey: "a secret" },
});

async function newFolders() {
  const home = await Deno.makeTempDir({ prefix: "callboard_s3_" });
  const [dataDir, folder] = [join(home, "data"), join(home, "backups")];
  await Deno.mkdir(dataDir);
  await Deno.mkdir(folder);
  const dispose = () => Deno.remove(home, { recursive: true });
  return { dataDir, folder, [Symbol.asyncDispose]: dispose };
}

const namesIn = async (bucket: Bucket) =>
  (await listObjects(bucket)).map(({ name }) => name).sort();

Deno.test({
  name: "an automatic backup is uploaded, and can be fetched and restored",
  ignore: !moto,
  async fn() {
    await using stage = await newFolders();
    const { dataDir, folder } = stage;
    const config = {
      ...{ dataDir, kv: join(dataDir, "callboard.kv"), backupFolder: folder },
      ...{ newStore: false, version: "1" },
    };
    using kv = await openStore(config.kv);
    await kv.set(rowKeys.storeIdentity(), STORE);
    const settings = await readAutomaticBackups(
      new Map(Object.entries({
        CALLBOARD_BACKUP_AT: "0 3 * * *",
        CALLBOARD_BACKUP_PASSPHRASE: PASSPHRASE,
        CALLBOARD_BACKUP_BUCKET_ENDPOINT: moto!.address,
        CALLBOARD_BACKUP_BUCKET_NAME: "safe",
        CALLBOARD_BACKUP_BUCKET_PREFIX: "/whole server/",
        CALLBOARD_BACKUP_BUCKET_ACCESS_KEY: "callboard",
        CALLBOARD_BACKUP_BUCKET_SECRET_KEY: "a secret",
      })),
      config,
    );
    await Deno.writeTextFile(join(folder, nameOf(3)), "an earlier one");
    const environment = runEnvironment(
      { ...readConfig(new Map(), ""), dataDir },
      noIsolation,
      Deno.env,
    );
    const clock = { now: () => NOW, ticks: () => performance.now() };
    const worker = backupWorker(
      { ...settings!, workFactor: 10 },
      { current: new Uint8Array(32), previous: null, next: null },
    );
    await doDue({ kv, config, clock, log: () => {}, environment }, worker);
    const { upload } = await readBackupReport(dataDir);
    assert.deepEqual([upload?.name, upload?.error], [nameOf(5), null]);
    assert.equal(upload?.detail, `${moto!.address}/safe/whole server/`);
    const { bucket } = settings!;
    assert.deepEqual(await namesIn(bucket!), [nameOf(3), nameOf(5)]);
    const fetched = join(dataDir, "fetched.age");
    await fetchObject(bucket!, nameOf(5), fetched);
    const { manifest } = await verifyBackup({ passphrase: PASSPHRASE, from: fetched });
    assert.equal(manifest?.store, STORE.id);
  },
});

Deno.test({
  name: "an upload that was interrupted continues behind the parts that have arrived",
  ignore: !moto,
  async fn() {
    await using stage = await newFolders();
    const { dataDir, folder } = stage;
    const parts: string[] = [];
    const stop = new AbortController();
    await using proxy = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (req) => {
        const { pathname, search, searchParams } = new URL(req.url);
        const part = searchParams.get("partNumber");
        if (part) parts.push(part);
        if (part === "2" && !stop.signal.aborted) stop.abort(new Error("killed"));
        const { method, headers } = req;
        const body = method === "GET" ? undefined : await req.arrayBuffer().catch(() => null);
        return await fetch(moto!.address + pathname + search, { method, headers, body });
      },
    );
    const bucket = bucketAt(`http://127.0.0.1:${proxy.addr.port}`, "large/");
    const bytes = new Uint8Array(2 * PART_BYTES + 1000);
    for (let n = 0; n < bytes.length; n += 4096) bytes[n] = n / 4096;
    await Deno.writeFile(join(folder, nameOf(5)), bytes);
    const options = { bucket, folder, dataDir, store: STORE, keep: 7, now: NOW };
    await assert.rejects(uploadBackups({ ...options, stop: stop.signal }), /killed/);
    assert.deepEqual(await namesIn(bucket), []);
    assert.equal(await uploadBackups(options), 1);
    assert.deepEqual(parts, ["1", "2", "2", "3"]);
    const fetched = join(dataDir, "fetched");
    await fetchObject(bucket, nameOf(5), fetched);
    assert.ok(Buffer.from(await Deno.readFile(fetched)).equals(bytes));
    assert.equal(await uploadBackups(options), 0);
  },
});

Deno.test({
  name: "old backups of the store are removed from the bucket, and nothing else",
  ignore: !moto,
  async fn() {
    await using stage = await newFolders();
    const bucket = bucketAt(moto!.address, "rotated/");
    const other = nameOf(1, "ffffffff");
    for (const name of [nameOf(2), nameOf(3), nameOf(4), other, "notes.txt"]) {
      await putObject(bucket, name, new Uint8Array(name === nameOf(3) ? 900 : 100));
    }
    await uploadBackups({ ...stage, bucket, store: STORE, keep: 1, now: NOW });
    const kept = nameOf(3).replace(".age", ".kept.age");
    assert.deepEqual(await namesIn(bucket), [other, kept, nameOf(4), "notes.txt"].sort());
  },
});

if (moto) globalThis.addEventListener("unload", () => void moto[Symbol.asyncDispose]());
