import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "../base/settings/settings.ts";
import { noteBackup } from "./server_backup/last_backup.ts";
import { openData } from "./open_data.ts";
import { identifyStore, readStoreIdentity } from "./store_identity.ts";
import { openStore } from "../store/file/open_store.ts";

const clock = { now: () => new Date("2026-03-05T12:00:00Z") };

async function newPlaces() {
  const home = await Deno.makeTempDir({ prefix: "callboard_open_" });
  const [dataDir, backupFolder] = [join(home, "data"), join(home, "backups")];
  await Deno.mkdir(backupFolder);
  const kv = join(dataDir, "callboard.kv");
  return {
    config: { dataDir, kv, backupFolder, newStore: false },
    write: (name: string) => Deno.writeTextFile(join(home, name), ""),
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}
type Places = Awaited<ReturnType<typeof newPlaces>>;

/** Makes a store, as a first start does. */
async function makeStore({ config }: Places) {
  using kv = await openStore(config.kv);
  return await identifyStore({ kv, clock, config });
}

Deno.test("a server starts without anything on a fresh machine, and after its first start was killed", async () => {
  await using places = await newPlaces();
  await openData(places.config);
  for (const name of ["server.lock", "backup.lock", "ansible.json"]) {
    await places.write(`data/${name}`);
  }
  await openData(places.config);
  await places.write("data/callboard.kv");
  await openData(places.config);
  (await openStore(places.config.kv)).close();
  await places.write("data/secret.key");
  await openData(places.config);
});

/** Traces of a store that is gone, and what is said about them. */
const TRACES: Record<string, [leave: (places: Places) => Promise<unknown>, says: RegExp]> = {
  "automatic backups": [
    async ({ write }) => {
      await write("backups/callboard-20260301T030000Z-1a2b3c4d.age");
      await write("backups/callboard-20260304T030000Z-5e6f7a8b.age");
    },
    /latest automatic backup is (\S+0304T030000Z-5e6f7a8b\.age)\..* restore --from \1\. .*CALLBOARD_NEW_STORE=true/,
  ],
  "a backup that was kept": [
    ({ write }) => write("backups/callboard-20260301T030000Z-1a2b3c4d.kept.age"),
    / restore --from \S+\.kept\.age/,
  ],
  "a copy from before an upgrade": [
    ({ write }) => write("data/callboard.kv.version-9-1a2b3c4d"),
    / restore --upgrade-copy \S+\.version-9-1a2b3c4d\./,
  ],
  "the note about the store": [
    async (places) => {
      await makeStore(places);
      await Deno.remove(places.config.kv);
    },
    /store\.json names the store \S+callboard\.kv\./,
  ],
  "the note about a backup": [
    ({ config }) => noteBackup(config.dataDir, { at: "2026-03-01T00:00:00Z", bytes: 1 }),
    /backed up at 2026-03-01/,
  ],
  "a secret key": [({ write }) => write("data/secret.key"), /secret\.key is the key of a store/],
};

for (const [what, [leave, says]] of Object.entries(TRACES)) {
  Deno.test(`a start without a store refuses where there is ${what}`, async () => {
    await using places = await newPlaces();
    const { config } = places;
    await openData(config);
    await leave(places);
    const states: [file: () => Promise<unknown>, says: RegExp][] = [
      [() => Promise.resolve(), /The store \S+ does not exist, but a store was here before/],
      [() => places.write("data/callboard.kv"), /The store \S+ is an empty file, but/],
    ];
    for (const [file, state] of states) {
      await file();
      const before = [...Deno.readDirSync(config.dataDir)].map(({ name }) => name).sort();
      const opened = openData(config);
      await assert.rejects(opened, ConfigError);
      await assert.rejects(opened, says);
      await assert.rejects(opened, state);
      const after = [...Deno.readDirSync(config.dataDir)].map(({ name }) => name).sort();
      assert.deepEqual(after, before);
    }
    await openData({ ...config, newStore: true });
  });
}

Deno.test("a store that has lost its rows refuses, and one with rows opens", async () => {
  await using places = await newPlaces();
  await openData(places.config);
  await makeStore(places);
  await openData(places.config);
  await Deno.remove(places.config.kv);
  (await openStore(places.config.kv)).close();
  await assert.rejects(openData(places.config), /has no rows, but a store was here before/);
});

Deno.test("a store keeps its id, and a new store gets another", async () => {
  await using places = await newPlaces();
  const { config } = places;
  await openData(config);
  const first = await makeStore(places);
  assert.deepEqual(await makeStore(places), first);
  await Deno.remove(config.kv);
  const other = await makeStore(places);
  assert.notEqual(other.id, first.id);
  using kv = await openStore(config.kv);
  assert.deepEqual(await readStoreIdentity(kv), other);
});
