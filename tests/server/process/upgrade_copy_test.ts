import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import { FIRST_VERSION } from "@/lib/maintenance/migrations.ts";
import { listUpgradeCopies } from "@/lib/maintenance/upgrade_copies.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { oldData, serve } from "@/tests/support/server/old_data.ts";
import { until } from "@/tests/support/basics/until.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

const ID = "1a2b3c4d-0000-4000-8000-000000000000";
const SHORT = ID.slice(0, 8);

async function newStage(padding = 0) {
  const dataDir = await oldData(padding);
  const kv = join(dataDir, "callboard.kv");
  {
    using store = await Deno.openKv(kv);
    await store.set(rowKeys.storeIdentity(), { id: ID, made: "2026-01-01T00:00:00.000Z" });
    await store.set(rowKeys.storeWriter(), "0.1.0+1234567");
  }
  return {
    dataDir,
    kv,
    copy: `${kv}.version-${FIRST_VERSION}-${SHORT}`,
    start: (settings = {}) => serve(dataDir, freePort(), settings),
    names: async () =>
      (await Array.fromAsync(Deno.readDir(dataDir))).map(({ name }) => name)
        .filter((name) => name.startsWith("callboard.kv.")).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(dataDir, { recursive: true }),
  };
}

/** Waits for an upgrade. Its syncs to the disk take long on a busy machine. */
const untilFinished = ({ said }: ReturnType<typeof serve>) =>
  until(() => said().includes('"event":"upgrade_finished"'), 180_000);

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

async function readVersion(path: string) {
  using kv = await Deno.openKv(path);
  return (await kv.get<number>(rowKeys.storeVersion())).value;
}

async function setVersion(path: string, version: number) {
  using kv = await Deno.openKv(path);
  await kv.set(rowKeys.storeVersion(), version);
}

/** Gives a store the rows of an upgrade that was killed between its copy and its end. */
async function leaveInUpgrade(path: string) {
  using kv = await Deno.openKv(path);
  await kv.atomic().set(rowKeys.storeVersion(), FIRST_VERSION).set(rowKeys.storeCopied(), true)
    .commit();
}

async function restore(dataDir: string, ...args: string[]) {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--allow-sys", "--allow-env", "--allow-read"],
      ...["--allow-write", "scripts/restore.ts", ...args],
    ],
    cwd: ROOT,
    env: { CALLBOARD_DATA: dataDir },
    stderr: "inherit",
  }).output();
  return { code, said: new TextDecoder().decode(stdout) };
}

Deno.test("an upgrade killed during its copy and its migration continues, and can be undone", async () => {
  await using stage = await newStage(1_000);
  const first = stage.start();
  await until(() => exists(`${stage.copy}.partial`), 180_000);
  await first.end("SIGKILL");
  assert.equal(await exists(stage.copy), false);
  assert.equal(await readVersion(stage.kv), FIRST_VERSION);

  const second = stage.start();
  await until(() => second.said().includes('"event":"upgrade_copied"'), 180_000);
  await second.end("SIGKILL");
  assert.deepEqual(await stage.names(), [`callboard.kv.version-${FIRST_VERSION}-${SHORT}`]);
  await leaveInUpgrade(stage.kv);
  const { mode, mtime } = await Deno.stat(stage.copy);
  assert.equal(mode! & 0o777, 0o600);

  const third = stage.start();
  await untilFinished(third);
  await until(() => /Callboard \S+ is at/.test(third.said()), 180_000);
  assert.doesNotMatch(third.said(), /"event":"upgrade_copied"/);
  // A start that is not an upgrade copies nothing.
  const refused = await restore(stage.dataDir, "--upgrade-copy", stage.copy);
  assert.deepEqual([refused.code, /Another Callboard/.test(refused.said)], [1, true]);
  await third.end();
  assert.deepEqual((await Deno.stat(stage.copy)).mtime, mtime);

  await setVersion(stage.kv, 999);
  const version = third.said().match(/Callboard (\S+) is at/)![1];
  const later = stage.start();
  assert.equal(await later.ended(), 1);
  assert.ok(
    later.said().includes(
      `This data was written by a later version of Callboard (${version}). Start that version, ` +
        `or go back to the copy from before the upgrade: deno task restore --upgrade-copy ${stage.copy}.`,
    ),
    later.said(),
  );

  const undone = await restore(stage.dataDir, "--upgrade-copy", stage.copy);
  assert.equal(undone.code, 0, undone.said);
  assert.match(undone.said, /Start Callboard 0\.1\.0\+1234567, which wrote it\./);
  assert.equal(await readVersion(stage.kv), FIRST_VERSION);
  const [replaced, ...others] = await stage.names();
  assert.match(replaced, /^callboard\.kv\.replaced-\d{14}$/);
  assert.deepEqual(others, []);
  assert.ok(undone.said.includes(replaced));
  assert.equal(await readVersion(join(stage.dataDir, replaced)), 999);
  using kv = await Deno.openKv(stage.kv);
  assert.equal((await kv.get<{ name: string }>(rowKeys.project(1))).value!.name, "Web shop");
});

Deno.test("without space for a copy the start says what to do, and the setting disables the copy", async () => {
  await using stage = await newStage();
  // The file has holes, so it needs no space itself. SQLite ignores what follows its last page.
  const { size } = await Deno.stat(stage.kv);
  await Deno.truncate(stage.kv, 8e12);
  const first = stage.start();
  assert.equal(await first.ended(), 1);
  assert.match(
    first.said(),
    /needs [\d,]+ MB of free disk space in .* are available. Free up space/,
  );
  assert.match(first.said(), /CALLBOARD_UPGRADE_BACKUP=false/);
  await Deno.truncate(stage.kv, size);
  assert.equal(await readVersion(stage.kv), FIRST_VERSION);

  const second = stage.start({ CALLBOARD_UPGRADE_BACKUP: "false" });
  await untilFinished(second);
  await second.end();
  assert.match(second.said(), /"event":"upgrade_not_copied"/);
  assert.deepEqual(await stage.names(), []);
});

Deno.test("the copies of the last three upgrades are kept, and all those of other stores", async () => {
  await using stage = await newStage();
  for (const n of [1, 2, 3, 100]) {
    await Deno.writeTextFile(`${stage.kv}.version-${n}-${SHORT}`, "");
  }
  await Deno.writeTextFile(`${stage.kv}.version-2-00000000`, "");
  for (const name of [`version-2-${SHORT}.partial`, "version-", "replaced-1"]) {
    await Deno.writeTextFile(`${stage.kv}.${name}`, "");
  }
  const server = stage.start();
  await untilFinished(server);
  await server.end();
  const copies = await listUpgradeCopies({ dataDir: stage.dataDir, kv: stage.kv });
  assert.deepEqual(copies.map(({ version }) => version), [100, FIRST_VERSION, 3, 2]);
  assert.deepEqual(
    (await stage.names()).filter((name) => !/version-\d/.test(name)),
    ["callboard.kv.replaced-1", "callboard.kv.version-"],
  );
});

Deno.test("a damaged store is set aside for a copy", async () => {
  await using stage = await newStage();
  const copy = join(stage.dataDir, "copy");
  await Deno.copyFile(stage.kv, copy);
  await Deno.truncate(stage.kv, 5_000);
  const { code, said } = await restore(stage.dataDir, "--upgrade-copy", copy);
  assert.equal(code, 0, said);
  assert.equal(await readVersion(stage.kv), FIRST_VERSION);
  const [replaced] = await stage.names();
  assert.equal((await Deno.stat(join(stage.dataDir, replaced))).size, 5_000);
});

Deno.test("only a copy of a store can replace the store", async () => {
  await using stage = await newStage();
  const file = join(stage.dataDir, "other");
  for (const [content, reason] of [[null, /no file/], ["x".repeat(5_000), /not a copy/]] as const) {
    if (content) await Deno.writeTextFile(file, content);
    const { code, said } = await restore(stage.dataDir, "--upgrade-copy", file);
    assert.deepEqual([code, reason.test(said)], [1, true], said);
  }
  assert.equal(await readVersion(stage.kv), FIRST_VERSION);
});
