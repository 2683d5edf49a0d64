import assert from "node:assert/strict";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { shortForm } from "@/lib/store/rows/short_rows.ts";
import { removeProject } from "@/lib/maintenance/projects/sweep.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { readRotation, rotationWorker } from "@/lib/maintenance/secret_key/rotation.ts";
import { newEverything } from "@/tests/support/server/everything.ts";
import { WORLD_KEY } from "@/tests/support/world/world.ts";

const FOLDER = new URL("../../lib/store/keys/", import.meta.url);
const files = await Array.fromAsync(Deno.readDir(FOLDER));
const sources = await Promise.all(
  files.map(({ name }) => Deno.readTextFile(new URL(name, FOLDER))),
);
const SOURCE = sources.join("\n");

/** Reads the tables of lib/store/keys/: a key's first part, and how many parts it may have. */
function readTable(): Map<string, number[]> {
  const table = new Map<string, number[]>();
  for (const [, cell] of SOURCE.matchAll(/^ \* \| ([^|]+?) \|/gm)) {
    // "keys, views: kind, project, id" stands for several kinds with the same form.
    const [names, shape] = cell.replace(/\([^)]*\)/g, "").split(":");
    const parts = (shape ?? names).split(",").length;
    const firsts = shape ? names.split(",") : [names.split(",")[0]];
    for (const first of firsts) {
      table.set(first.trim(), [...table.get(first.trim()) ?? [], parts]);
    }
  }
  table.delete("key");
  table.delete("---");
  return table;
}

Deno.test("every key that is put together in lib/store/keys/ is in a table", () => {
  const table = readTable();
  const firsts = [...SOURCE.matchAll(/=>\s*\[\s*"(\w+)"/g)].map(([, first]) => first);
  assert.ok(firsts.length > 20);
  assert.deepEqual([...new Set(firsts)].filter((first) => !table.has(first)), []);
});

Deno.test("every row of a world in which everything has happened is in the table", async () => {
  await using world = await newEverything();
  const table = readTable();
  const seen = new Set<string>();
  for await (const { key, value } of world.kv.list({ prefix: [] })) {
    const first = String(key[0]);
    const short = shortForm(key, value);
    if (short !== value) assert.equal((short as unknown[])[0], 0, `${first} has other members`);
    assert.ok(table.get(first)?.includes(key.length), `not in the table: ${key.join(", ")}`);
    seen.add(first);
  }
  const unseen = [...table.keys()].filter((first) => !seen.has(first));
  assert.deepEqual(unseen, [], "kinds of rows that the world has no example of");
});

Deno.test("the search for rows of deleted projects covers every kind that has a project", () => {
  const rows = [...SOURCE.matchAll(/^ \* \| (?!projects,)(\w+), project\b/gm)].map(([, first]) =>
    first
  );
  assert.ok(rows.length > 15, rows.join(", "));
  const looked = new Set(rowKeys.byProject().map(([first]) => first));
  assert.deepEqual(rows.filter((first) => !looked.has(first)), []);
});

Deno.test("sweeping a project covers every row that names it", async () => {
  await using world = await newEverything();
  const { kv, web } = world;
  const swept = new Set(rowKeys.listsOfAll().map(([first]) => first));
  const byProject = new Set(rowKeys.byProject().map(([first]) => first));
  for await (const { key, value } of kv.list<{ project_id?: number }>({ prefix: [] })) {
    if (typeof value?.project_id !== "number" || byProject.has(key[0])) continue;
    assert.ok(swept.has(key[0]), key.join(", "));
  }
  await removeProject(kv, web.id);
  for await (const { key, value } of kv.list<{ project_id?: number }>({ prefix: [] })) {
    const isOf = byProject.has(key[0]) && key[1] === web.id || value?.project_id === web.id;
    assert.ok(!isOf, key.join(", "));
  }
});

/** Returns the bytes in a value, at every depth. */
function* bytesIn(value: unknown): Generator<Uint8Array> {
  if (value instanceof Uint8Array) yield value;
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) yield* bytesIn(member);
  }
}

Deno.test("nothing in the store needs the previous secret key after it was changed", async () => {
  await using world = await newEverything();
  const { kv, clock, deps } = world;
  const box = await createSecretBox(WORLD_KEY);
  const countSealed = async () => {
    const kinds: string[] = [];
    for await (const { key, value } of kv.list({ prefix: [] })) {
      for (const bytes of bytesIn(value)) {
        if (await box.open(bytes).then(() => true, () => false)) kinds.push(String(key[0]));
      }
    }
    return kinds;
  };
  const before = new Set(await countSealed());
  const needed = [
    "delivery_bodies",
    "identity_keys",
    "own_keys",
    "second_factors",
    "sessions",
    "workflow_secrets",
  ];
  for (const kind of needed) {
    assert.ok(before.has(kind), `${kind} in ${[...before].join(", ")}`);
  }
  await kv.delete(rowKeys.secretKeyRotation());
  const current = crypto.getRandomValues(new Uint8Array(32));
  const worker = rotationWorker(current, WORLD_KEY);
  await doDue(deps, worker);
  const expiring = ["sso_attempts", "kept_forms"];
  assert.deepEqual((await countSealed()).filter((kind) => !expiring.includes(kind)), []);
  for (const kind of expiring) {
    for await (const { key } of kv.list({ prefix: [kind] })) await kv.delete(key);
  }
  clock.advance(600_000);
  await doDue(deps, worker);
  assert.equal((await readRotation(kv))!.finished, true);
});
