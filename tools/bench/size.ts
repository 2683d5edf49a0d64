import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { rememberDue } from "../../lib/hosts/remember.ts";
import { newWorld } from "../../tests/support/world/world.ts";
import { runTask } from "./finished_task.ts";
import type { Row } from "./measure.ts";

const TASKS = 1_000;
/** Measures what finished tasks take in a file: the rows of each kind, and the file itself. */
export async function* measureSize(): AsyncGenerator<Row> {
  const directory = await Deno.makeTempDir({ prefix: "callboard_size_" });
  const path = join(directory, "callboard.kv");
  try {
    await using world = await newWorld({ kvPath: path });
    const before = readSizes(path);
    for (let n = 0; n < TASKS; n++) await runTask(world, n);
    await rememberDue(world.deps);
    const added = [...readSizes(path)].map(([kind, size]) => ({
      kind,
      size: size.map((value, n) => (value - (before.get(kind)?.[n] ?? 0)) / TASKS),
    }));
    const ofTasks = added.filter(({ size: [rows] }) => rows > 0.5);
    for (const { kind, size: [rows, keys, values] } of ofTasks.toSorted(byBytes)) {
      const bytes = `${keys.toFixed(0)} bytes of keys, ${values.toFixed(0)} of values`;
      yield [`${kind}, for each task`, { note: `${rows.toFixed(0)} rows, ${bytes}` }];
    }
    const [used, compacted] = readFile(path);
    const megabytes = (bytes: number) => (bytes / TASKS / 1_000).toFixed(1);
    yield ["1,000 tasks with three chunks of output", {
      note: `${megabytes(used)} MB, ${megabytes(compacted)} MB compacted`,
    }];
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

type Size = [rows: number, keys: number, values: number];

const byBytes = (a: { size: number[] }, b: { size: number[] }) =>
  b.size[1] + b.size[2] - a.size[1] - a.size[2];

/** Returns the sizes of the rows of each kind. */
function readSizes(path: string): Map<string, Size> {
  using database = new DatabaseSync(path);
  const sizes = new Map<string, Size>();
  const rows = database.prepare("SELECT k, length(v) AS bytes FROM kv").iterate();
  for (const { k, bytes } of rows as Iterable<{ k: Uint8Array; bytes: number }>) {
    // The first part of a key is a text between a 2 and a 0.
    const kind = new TextDecoder().decode(k.subarray(1, k.indexOf(0)));
    const [count, keys, values] = sizes.get(kind) ?? [0, 0, 0];
    sizes.set(kind, [count + 1, keys + k.length, values + bytes]);
  }
  return sizes;
}

/** Returns the bytes of a file that are in use, and those that are left after compacting it. */
function readFile(path: string): [used: number, compacted: number] {
  using database = new DatabaseSync(path);
  const read = (name: string) =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);
  const used = read("page_size") * (read("page_count") - read("freelist_count"));
  database.exec("VACUUM");
  return [used, read("page_size") * read("page_count")];
}
