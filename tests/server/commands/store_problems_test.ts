import assert from "node:assert/strict";
import { join } from "node:path";
import { stepsFrom } from "@/lib/maintenance/migrations.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { identifyStore } from "@/lib/maintenance/store_identity.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

const IS_ROOT = Deno.uid() === 0;

/** Creates a data folder with a store of 40 KB. */
async function newData() {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_store_" });
  const store = join(dataDir, "callboard.kv");
  using kv = await openStore(store);
  await kv.set(rowKeys.storeVersion(), stepsFrom(null).version);
  const config = { dataDir, kv: store };
  await identifyStore({ kv, clock: { now: () => new Date() }, config });
  await kv.set(rowKeys.secretKeyProof(), new Uint8Array(50));
  for (let n = 0; n < 20; n++) await kv.set(["row", n], "x".repeat(1_000));
  return {
    dataDir,
    store,
    [Symbol.asyncDispose]: () => Deno.remove(dataDir, { recursive: true }),
  };
}
type Data = Awaited<ReturnType<typeof newData>>;

async function run(script: string, args: string[], dataDir: string) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--cached-only", "-A", `scripts/${script}.ts`, ...args],
    cwd: ROOT,
    env: {
      CALLBOARD_DATA: dataDir,
      CALLBOARD_INSTALL: "false",
      CALLBOARD_COMMAND: "callboard",
      CALLBOARD_BACKUP_PASSPHRASE: "a long enough passphrase",
    },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  return { code, said };
}

const DAMAGED = /is damaged, or not a store\. .*: callboard restore --from FILE/;

/** Damages of a store's file, and the sentence about each. */
const DAMAGES: Record<string, [damage: (data: Data) => Promise<unknown>, sentence: RegExp]> = {
  "random bytes": [
    ({ store }) => Deno.writeFile(store, crypto.getRandomValues(new Uint8Array(40_000))),
    DAMAGED,
  ],
  "half of it": [
    async ({ store }) => await Deno.truncate(store, (await Deno.stat(store)).size >> 1),
    DAMAGED,
  ],
  "100 bytes": [({ store }) => Deno.truncate(store, 100), DAMAGED],
  "the log of another store": [async ({ dataDir, store }) => {
    const other = join(dataDir, "other.kv");
    using kv = await openStore(other);
    for (let n = 0; n < 30; n++) await kv.set(["row", n], "x".repeat(5_000));
    await Deno.copyFile(`${other}-wal`, `${store}-wal`);
  }, /The log \S+callboard\.kv-wal is that of another store than \S+\. Move it and \S+-shm away/],
  "a folder in its place": [async ({ store }) => {
    await Deno.remove(store);
    await Deno.mkdir(store);
  }, /The store \S+ cannot be opened: it is a folder$/m],
};

for (const [what, [damage, sentence]] of Object.entries(DAMAGES)) {
  Deno.test(`a start with ${what} for a store says so in a sentence, without a stack`, async () => {
    await using data = await newData();
    await damage(data);
    const { code, said } = await run("prepare", [], data.dataDir);
    assert.equal(code, 1, said);
    assert.match(said, sentence);
    assert.doesNotMatch(said, /"stack"|^\s+at /m);
  });
}

Deno.test("the rows of a store are still there after the log of another one was moved away", async () => {
  await using data = await newData();
  await DAMAGES["the log of another store"][0](data);
  assert.equal((await run("user", ["list"], data.dataDir)).code, 1);
  for (const end of ["-wal", "-shm"]) await Deno.remove(data.store + end).catch(() => {});
  using kv = await openStore(data.store);
  assert.equal((await kv.get(["row", 7])).value, "x".repeat(1_000));
});

Deno.test("a start with a store of another account says so in a sentence", {
  ignore: !IS_ROOT,
}, async () => {
  await using data = await newData();
  await Deno.chown(data.dataDir, 65534, 65534);
  // The account may not read Deno's cache, so the test takes its rights to files away instead.
  const { stdout } = await new Deno.Command("setpriv", {
    args: [
      ...["--bounding-set=-dac_override,-dac_read_search,-fowner", "--inh-caps=-all"],
      ...[Deno.execPath(), "run", "--quiet", "--cached-only", "-A", "scripts/prepare.ts"],
    ],
    cwd: ROOT,
    env: { CALLBOARD_DATA: data.dataDir, CALLBOARD_INSTALL: "false" },
    stderr: "inherit",
  }).output();
  assert.match(
    new TextDecoder().decode(stdout),
    /this account is not allowed to (read and )?write there/,
  );
});

/** All commands that open the store, beside the start. */
const COMMANDS: [script: string, ...args: string[]][] = [
  ["backup", "--to", "/nowhere/backup.age"],
  ["compact"],
  ["import", "semaphore", "--sqlite", "/nowhere"],
  ["secret_key", "status"],
  ["user", "list"],
  ["user", "move-identities"],
];

Deno.test("every command says in a sentence that the store is damaged", async () => {
  await using data = await newData();
  await Deno.truncate(data.store, 20_000);
  for (const [script, ...args] of [...COMMANDS, ["doctor"] as [string]]) {
    const { code, said } = await run(script, args, data.dataDir);
    assert.equal(code, 1, script);
    assert.match(said, DAMAGED, script);
    assert.doesNotMatch(said, /"stack"|^\s+at /m, script);
  }
});

Deno.test("every command says in a sentence that the store is gone, and creates none", async () => {
  await using data = await newData();
  await Deno.rename(data.store, `${data.store}.version-9-1a2b3c4d`);
  for (const [script, ...args] of [...COMMANDS, ["doctor"] as [string], ["prepare"] as [string]]) {
    const { code, said } = await run(script, args, data.dataDir);
    assert.equal(code, 1, script);
    assert.match(
      said,
      /does not exist, but a store was here before: \S+version-9-1a2b3c4d/,
      script,
    );
    assert.match(said, /: callboard restore --upgrade-copy \S+version-9-1a2b3c4d\./, script);
    assert.match(said, /CALLBOARD_NEW_STORE=true/, script);
  }
  const names = [...Deno.readDirSync(data.dataDir)].map(({ name }) => name);
  assert.deepEqual(names.sort(), ["callboard.kv.version-9-1a2b3c4d", "store.json"]);
});

Deno.test("no command that needs the secret key creates one for a store with secrets", async () => {
  await using data = await newData();
  for (const [script, ...args] of COMMANDS.slice(0, 3).toSpliced(1, 1)) {
    const { code, said } = await run(script, args, data.dataDir);
    assert.deepEqual([code, /there is no \S+secret\.key/.test(said)], [1, true], said);
  }
  const rotated = await run("secret_key", ["rotate"], data.dataDir);
  assert.deepEqual([rotated.code, /there is no/.test(rotated.said)], [1, true], rotated.said);
  await assert.rejects(Deno.stat(join(data.dataDir, "secret.key")), Deno.errors.NotFound);
});

Deno.test("commands that change the store of another version refuse to", async () => {
  await using data = await newData();
  const cases: [version: number, writer: string, says: RegExp][] = [
    [999, "9.0.0+1234567", /by a later version of Callboard \(9\.0\.0\+1234567\)\. Start that/],
    [
      3,
      "0.1.0+1234567",
      /before Callboard 1\.0\.0 \(0\.1\.0\+1234567\).* a backup of each project/,
    ],
  ];
  for (const [version, writer, says] of cases) {
    {
      using kv = await openStore(data.store);
      await kv.set(rowKeys.storeVersion(), version);
      await kv.set(rowKeys.storeWriter(), writer);
    }
    for (const [script, ...args] of [["user", "list"], ["secret_key", "accept"]]) {
      const { code, said } = await run(script, args, data.dataDir);
      assert.equal(code, 1, said);
      assert.match(said, says);
    }
  }
});
