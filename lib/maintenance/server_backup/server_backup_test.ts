import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { ConfigError } from "../../base/settings/settings.ts";
import { backUpServer } from "./back_up.ts";
import { verifyBackup } from "./verify.ts";
import { isOurs } from "./contents.ts";
import { restoreServer } from "./restore.ts";

const PASSPHRASE = "a long enough passphrase";
const SECRET_KEY = new Uint8Array(32).fill(7);

/** Creates a data folder whose database gets pairs of rows, each pair in one commit. */
async function newServer() {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_backup_" });
  const config = { dataDir, kv: join(dataDir, "callboard.kv"), version: "1.0.0+3f2a9c1d" };
  const kv = await Deno.openKv(config.kv);
  let pairs = 0;
  const writePair = async (size = 10) => {
    const value = { n: ++pairs, text: "x".repeat(size) };
    await kv.atomic().set(["left", pairs % 500], value).set(["right", pairs % 500], value)
      .set(["count"], pairs).commit();
  };
  const dispose = async () => {
    kv.close();
    await Deno.remove(dataDir, { recursive: true });
  };
  return { config, kv, writePair, [Symbol.asyncDispose]: dispose };
}

async function emptyFolder() {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_restore_" });
  const config = { dataDir, kv: join(dataDir, "callboard.kv") };
  const dispose = () => Deno.remove(dataDir, { recursive: true });
  return { config, [Symbol.asyncDispose]: dispose };
}

const secretKeys = { current: SECRET_KEY, previous: null };
const store = { id: "1a2b3c4d-0000-4000-8000-000000000000", made: "2026-01-01T00:00:00.000Z" };
const options = { store, secretKeys, passphrase: PASSPHRASE, workFactor: 10 };
const restoring = { secretKeySetting: undefined, passphrase: PASSPHRASE };

Deno.test("a backup made while the server writes is a snapshot, secret key included", async () => {
  await using server = await newServer();
  await using target = await emptyFolder();
  await using files = await emptyFolder();
  const to = join(files.config.dataDir, "server.age");
  for (let i = 0; i < 600; i++) await server.writePair(2_000);
  await Deno.mkdir(join(server.config.dataDir, "known_hosts"));
  await Deno.writeTextFile(join(server.config.dataDir, "known_hosts", "1"), "host ssh-ed25519 A\n");

  let writing = true;
  let written = 0;
  const writer = (async () => {
    for (; writing; written++) await server.writePair(2_000);
  })();
  const bytes = await backUpServer({ ...options, config: server.config, to });
  writing = false;
  await writer;
  assert.ok(written > 0, "the server wrote on meanwhile");
  assert.equal((await Deno.stat(to)).size, bytes);
  assert.equal((await Deno.stat(to)).mode! & 0o777, 0o600);

  await restoreServer({ ...restoring, config: target.config, from: to });
  const kv = await Deno.openKv(target.config.kv);
  const count = (await kv.get<number>(["count"])).value!;
  assert.ok(count >= 600, String(count));
  for (let slot = 0; slot < 500; slot++) {
    const [left, right] = await kv.getMany<{ n: number }[]>([["left", slot], ["right", slot]]);
    assert.deepEqual(left.value, right.value);
    assert.ok(left.value!.n <= count);
  }
  kv.close();
  const key = await Deno.readTextFile(join(target.config.dataDir, "secret.key"));
  assert.deepEqual(new Uint8Array(Buffer.from(key, "base64")), SECRET_KEY);
  const hosts = await Deno.readTextFile(join(target.config.dataDir, "known_hosts", "1"));
  assert.equal(hosts, "host ssh-ed25519 A\n");
  assert.deepEqual(
    [...Deno.readDirSync(target.config.dataDir)].map(({ name }) => name).filter((name) =>
      !name.startsWith("callboard.kv")
    ).sort(),
    ["known_hosts", "secret.key"],
  );
});

Deno.test("deleted data is in none of the bytes of a decrypted backup", async () => {
  await using server = await newServer();
  await using target = await emptyFolder();
  await server.kv.set(["gone"], "a secret that was deleted");
  await server.kv.delete(["gone"]);
  const to = `${target.config.dataDir}.age`;
  try {
    await backUpServer({ ...options, config: server.config, to });
    await restoreServer({ ...restoring, config: target.config, from: to });
    const bytes = Buffer.from(await Deno.readFile(target.config.kv));
    assert.equal(bytes.includes("a secret that was deleted"), false);
  } finally {
    await Deno.remove(to);
  }
});

Deno.test("a passphrase that is guessed costs as much as age usually takes", async () => {
  await using server = await newServer();
  await using files = await emptyFolder();
  const to = join(files.config.dataDir, "server.age");
  await backUpServer({ ...options, config: server.config, to, workFactor: undefined });
  const bytes = await Deno.readFile(to);
  assert.match(new TextDecoder("latin1").decode(bytes), /^age[^\n]*\n-> scrypt \S+ 18\n/);
  assert.equal(Buffer.from(bytes).includes(Buffer.from(SECRET_KEY).toString("base64")), false);
});

Deno.test("a wrong passphrase, a cut file and a changed file get different errors", async () => {
  await using server = await newServer();
  await using files = await emptyFolder();
  await server.writePair(60_000);
  const to = join(files.config.dataDir, "server.age");
  await backUpServer({ ...options, config: server.config, to });
  const bytes = await Deno.readFile(to);
  const changed = bytes.slice();
  changed[changed.length - 40] ^= 1;
  await Deno.writeFile(`${to}.changed`, changed);
  await Deno.writeFile(`${to}.cut`, bytes.slice(0, -100));
  const cases: [file: string, passphrase: string, message: RegExp][] = [
    [to, "another passphrase", /passphrase is wrong/],
    [`${to}.cut`, PASSPHRASE, /damaged or incomplete/],
    [`${to}.changed`, PASSPHRASE, /damaged or incomplete/],
  ];
  for (const [from, passphrase, message] of cases) {
    await using target = await emptyFolder();
    const restored = restoreServer({ ...restoring, passphrase, config: target.config, from });
    await assert.rejects(restored, message);
    assert.deepEqual([...Deno.readDirSync(target.config.dataDir)], []);
  }
});

Deno.test("a backup replaces no file, and is restored only into an empty data folder", async () => {
  await using server = await newServer();
  await using files = await emptyFolder();
  const to = join(files.config.dataDir, "server.age");
  await backUpServer({ ...options, config: server.config, to });
  await assert.rejects(backUpServer({ ...options, config: server.config, to }), /exists already/);
  await assert.rejects(
    restoreServer({ ...restoring, config: server.config, from: to }),
    /is not empty/,
  );
});

Deno.test("a secret key other than the backup's is rejected", async () => {
  await using server = await newServer();
  await using target = await emptyFolder();
  const to = `${target.config.dataDir}.age`;
  const restore = (key: Uint8Array) =>
    restoreServer({
      ...restoring,
      config: target.config,
      from: to,
      secretKeySetting: Buffer.from(key).toString("base64"),
    });
  try {
    await backUpServer({ ...options, config: server.config, to });
    await assert.rejects(restore(new Uint8Array(32)), /CALLBOARD_SECRET_KEY is not the key/);
    await Deno.mkdir(join(target.config.dataDir, "deno"));
    await restore(SECRET_KEY);
    await Deno.remove(join(target.config.dataDir, "deno"));
    const names = [...Deno.readDirSync(target.config.dataDir)].map(({ name }) => name);
    assert.deepEqual(names, ["callboard.kv"]);
  } finally {
    await Deno.remove(to);
  }
});

Deno.test("a missing backup, or one that is not a file, is reported in a sentence", async () => {
  await using target = await emptyFolder();
  const { config } = target;
  const missing = restoreServer({ ...restoring, config, from: "/nowhere/backup.age" });
  await assert.rejects(missing, ConfigError);
  await assert.rejects(missing, /backup\.age cannot be read: the file does not exist/);
  const folder = restoreServer({ ...restoring, config, from: "/tmp" });
  await assert.rejects(folder, /tmp cannot be read: it is a folder/);
  assert.deepEqual([...Deno.readDirSync(config.dataDir)], []);
  await using server = await newServer();
  const to = join(config.dataDir, "missing", "server.age");
  const made = backUpServer({ ...options, config: server.config, to });
  await assert.rejects(made, /server\.age cannot be written: its parent folder is missing/);
});

const run = async (...[command, ...args]: string[]) =>
  (await new Deno.Command(command, { args }).output().catch(() => null))?.success ?? false;

/** Mounts a disk of one megabyte at a folder. */
const mountSmall = (folder: string) =>
  run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder);

/** Whether this account may mount a disk, as root outside of a container usually may. */
async function mayMount(): Promise<boolean> {
  await using target = await emptyFolder();
  return await mountSmall(target.config.dataDir) && await run("umount", target.config.dataDir);
}

Deno.test("a full disk is reported at backup and restore, and leaves nothing", {
  ignore: !await mayMount(),
}, async () => {
  await using small = await emptyFolder();
  const folder = small.config.dataDir;
  await mountSmall(folder);
  try {
    await using server = await newServer();
    await using files = await emptyFolder();
    const random = () => crypto.getRandomValues(new Uint8Array(60_000));
    for (let n = 0; n < 40; n++) await server.kv.set(["random", n], random());
    const full = backUpServer({
      ...options,
      config: server.config,
      to: join(folder, "server.age"),
    });
    await assert.rejects(full, ConfigError);
    await assert.rejects(full, /server\.age cannot be written: the disk is full\. Free up space/);
    const from = join(files.config.dataDir, "server.age");
    await backUpServer({ ...options, config: server.config, to: from });
    const restored = restoreServer({ ...restoring, config: small.config, from });
    await assert.rejects(restored, /Nothing was restored.*the disk is full.*restore again/);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    await server.kv.set(["more"], random());
    const config = { dataDir: folder, kv: server.config.kv, version: "" };
    const copied = backUpServer({ ...options, config, to: `${from}.2` });
    await assert.rejects(copied, /cannot be copied to .*the disk is full\. A backup needs/);
  } finally {
    await run("umount", folder);
  }
});

Deno.test("entries of an archive stay inside the folder", () => {
  assert.ok(isOurs("callboard.kv"));
  assert.ok(isOurs("demo.git/refs/heads/main"));
  for (
    const name of ["../secret.key", "/etc/passwd", "known_hosts/../../x", "other", "demo.git/"]
  ) {
    assert.equal(isOurs(name), false, name);
  }
});

Deno.test("deno task backup and restore print plain sentences", async () => {
  await using server = await newServer();
  await using target = await emptyFolder();
  await server.writePair();
  const run = async (script: string, dataDir: string, ...args: string[]) => {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", `scripts/${script}.ts`, ...args],
      env: { CALLBOARD_DATA: dataDir, CALLBOARD_BACKUP_PASSPHRASE: PASSPHRASE },
      stdin: "null",
    }).output();
    return { code, said: new TextDecoder().decode(stdout) };
  };
  const file = `${target.config.dataDir}.age`;
  try {
    const made = await run("backup", server.config.dataDir, "--to", file);
    assert.equal(made.code, 0, made.said);
    assert.match(made.said, /Wrote .*\.age, [\d,]+ bytes/);
    const refused = await run("restore", server.config.dataDir, "--from", file);
    assert.equal(refused.code, 1);
    assert.match(refused.said, /is not empty/);
    const restored = await run("restore", target.config.dataDir, "--from", file);
    assert.equal(restored.code, 0, restored.said);
  } finally {
    await Deno.remove(file);
  }
  const kv = await Deno.openKv(target.config.kv);
  assert.equal((await kv.get(["count"])).value, 1);
  kv.close();
});

Deno.test("checking a backup reads all of it, and reports what a restore would refuse", async () => {
  await using server = await newServer();
  await using files = await emptyFolder();
  await server.writePair();
  await Deno.mkdir(join(server.config.dataDir, "known_hosts"));
  await Deno.writeTextFile(join(server.config.dataDir, "known_hosts", "1"), "host ssh-ed25519 A\n");
  const from = join(files.config.dataDir, "server.age");
  await backUpServer({ ...options, config: server.config, to: from });
  const before = await Deno.readFile(from);
  const contents = await verifyBackup({ passphrase: PASSPHRASE, from });
  const at = contents.manifest?.at;
  assert.ok(Date.now() - Date.parse(at!) < 60_000, String(at));
  assert.deepEqual(contents, {
    rows: 3,
    files: 1,
    manifest: {
      ...{ store: store.id, made: store.made, at, version: "1.0.0+3f2a9c1d" },
      rows: { count: 1, left: 1, right: 1 },
    },
  });
  assert.deepEqual(await Deno.readFile(from), before);
  assert.deepEqual((await Array.fromAsync(Deno.readDir(files.config.dataDir))).length, 1);

  const fails = (passphrase: string, reason: RegExp) =>
    assert.rejects(verifyBackup({ passphrase, from }), (error) => {
      return error instanceof ConfigError && reason.test(error.message);
    });
  await fails("another passphrase", /passphrase is wrong/);
  for (const length of [before.length - 1, before.length >> 1]) {
    await Deno.truncate(from, length);
    await fails(PASSPHRASE, /damaged or incomplete/);
  }
  await Deno.writeFile(from, before.with(-1, before.at(-1)! ^ 1));
  await fails(PASSPHRASE, /damaged or incomplete/);
});
