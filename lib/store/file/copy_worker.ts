import { backup, DatabaseSync } from "node:sqlite";
import type { CopyAnswer, CopyJob } from "./copy_store.ts";

/** More pages than any database has, so that one read transaction covers the whole copy. */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies the database. SQLite blocks its thread meanwhile, so it gets one of its own. */
self.onmessage = async ({ data }: MessageEvent<CopyJob>) => {
  self.postMessage(await copy(data).then(() => ({}), failed) satisfies CopyAnswer);
};

async function copy({ from, to, rowsOnly }: CopyJob): Promise<void> {
  using source = new DatabaseSync(from, { readOnly: true });
  source.exec("PRAGMA busy_timeout = 10000");
  if (rowsOnly) copyRows(source, to);
  else await backup(source, to, { rate: ALL_PAGES });
}

/** `VACUUM INTO` would do the same, but Deno allows it only in a process with all permissions. */
function copyRows(source: DatabaseSync, to: string): void {
  using target = new DatabaseSync(to);
  // Errors of `exec` have no `errcode`, so no one could see that the disk is full.
  const write = (sql: string) => target.prepare(sql).run();
  target.exec("PRAGMA journal_mode = OFF; BEGIN");
  source.exec("BEGIN");
  const objects = source.prepare(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
  ).all() as { type: string; name: string; sql: string }[];
  const tables = objects.filter(({ type }) => type === "table");
  for (const { name, sql } of tables) {
    write(sql);
    const rows = source.prepare(`SELECT * FROM "${name}"`);
    rows.setReadBigInts(true);
    let insert: ReturnType<DatabaseSync["prepare"]> | null = null;
    for (const row of rows.iterate()) {
      const values = Object.values(row);
      insert ??= target.prepare(`INSERT INTO "${name}" VALUES (${values.map(() => "?")})`);
      insert.run(...values);
    }
  }
  for (const { sql } of objects.filter(({ type }) => type !== "table")) write(sql);
  source.exec("COMMIT");
  write("COMMIT");
}

const failed = (error: { message: string; code?: string; errcode?: number }): CopyAnswer => ({
  error: { message: error.message, code: error.code, errcode: error.errcode },
});
