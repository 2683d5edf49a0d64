import { chunkCount, deleteChunks, readChunks, setChunks } from "../../store/rows/chunks.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";

/** Owner of a saved form: an account, in a browser that has signed in to it. */
interface Keeper {
  userId: number;
  browser: string;
}

/** A saved form, with its page and the number of rows that hold it. */
interface Kept {
  page: string;
  chunks: number;
}

/** How many forms one browser has at a time, so that no one can fill the store with them. */
const FORMS_MAX = 5;
const KEPT_MS = 30 * 60_000;

/** Saves a form. It replaces one of the same page, and the oldest if there are too many. */
export async function putForm(kv: Store, keeper: Keeper, page: string, bytes: Uint8Array) {
  await transact(kv, async (op) => {
    const { key, before } = await readList(kv, op, keeper);
    const others = before.filter((kept) => kept.page !== page);
    const left = others.slice(-(FORMS_MAX - 1));
    for (const gone of before) if (!left.includes(gone)) dropForm(op, keeper, gone);
    setChunks(op, chunkKey(keeper, page), bytes, KEPT_MS);
    op.set(key, [...left, { page, chunks: chunkCount(bytes.length) }], { expireIn: KEPT_MS });
  });
}

/** Removes the form of a page and returns it; null if there is none. */
export async function takeForm(
  kv: Store,
  keeper: Keeper,
  page: string,
): Promise<Uint8Array | null> {
  return await transact(kv, async (op) => {
    const { key, before } = await readList(kv, op, keeper);
    const found = before.find((kept) => kept.page === page);
    if (!found) return null;
    const bytes = await readChunks(kv, chunkKey(keeper, page), found.chunks);
    dropForm(op, keeper, found);
    op.set(key, before.filter((kept) => kept !== found), { expireIn: KEPT_MS });
    return bytes;
  });
}

/**
 * Returns the browser's forms, oldest first. `op` fails if a form is saved or taken before its
 * commit.
 */
async function readList(kv: Store, op: Atomic, { userId, browser }: Keeper) {
  const entry = await kv.get<Kept[]>(rowKeys.formDrafts(userId, browser));
  op.check(entry);
  return { key: entry.key, before: entry.value ?? [] };
}

const chunkKey = ({ userId, browser }: Keeper, page: string) => (n: number) =>
  rowKeys.formDraft(userId, browser, page, n);

const dropForm = (op: Atomic, keeper: Keeper, { page, chunks }: Kept) =>
  deleteChunks(op, chunkKey(keeper, page), chunks);
