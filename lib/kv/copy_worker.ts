/// <reference lib="deno.worker" />
import { backup, DatabaseSync } from "node:sqlite";
import type { CopyAnswer } from "./copy_store.ts";

/** More pages than any database has, so that one read transaction covers the whole copy. */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies the database. SQLite blocks its thread meanwhile, so it gets one of its own. */
self.onmessage = async ({ data: { from, to } }: MessageEvent<{ from: string; to: string }>) => {
  self.postMessage(await copy(from, to).then(() => ({}), failed) satisfies CopyAnswer);
};

async function copy(from: string, to: string): Promise<void> {
  using database = new DatabaseSync(from, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 10000");
  await backup(database, to, { rate: ALL_PAGES });
}

const failed = (error: { message: string; code?: string; errcode?: number }): CopyAnswer => ({
  error: { message: error.message, code: error.code, errcode: error.errcode },
});
