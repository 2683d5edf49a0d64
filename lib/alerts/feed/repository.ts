import type { Language } from "../../i18n/catalogs.ts";
import { fitRow } from "../../store/rows/fit_row.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { AlertEvent } from "../schema.ts";

const ENTRIES_MAX = 100;
const ENTRY_BYTES_MAX = 48 * 1024;
/** More than are added between two looks. */
const EXTRA_MAX = 20;

/** The stored feed of a project. */
export interface FeedRow {
  /** Identifies the feed for readers. */
  id: string;
  /** Hash of its token. */
  hash: string;
  language: Language;
  created: string;
}

/** An alert in a feed. */
export interface FeedEntry {
  id: string;
  at: string;
  event: AlertEvent;
  title: string;
  text: string;
  url: string | null;
}

export const findFeed = (kv: Store, projectId: number) =>
  kv.get<FeedRow>(rowKeys.alertFeed(projectId));

/** Returns the latest entries of a feed, the latest first. */
export const listFeedEntries = (kv: Store, projectId: number, limit = ENTRIES_MAX) =>
  Array.fromAsync(
    kv.list<FeedEntry>({ prefix: rowKeys.alertFeedEntries(projectId) }, { limit, reverse: true }),
  );

/** Adds an entry to `op`, and the deletion of those beyond the limit. */
export async function addFeedEntry(
  kv: Store,
  op: Atomic,
  projectId: number,
  entry: FeedEntry,
): Promise<void> {
  const known = await listFeedEntries(kv, projectId, ENTRIES_MAX + EXTRA_MAX);
  for (const { key } of known.slice(ENTRIES_MAX - 1)) op.delete(key);
  op.set(rowKeys.alertFeedEntry(projectId, entry.at, entry.id), fitRow(entry, ENTRY_BYTES_MAX));
}

/** Adds the deletion of a feed with its entries to `op`. */
export async function removeFeed(
  kv: Store,
  op: Atomic,
  projectId: number,
): Promise<void> {
  const known = await listFeedEntries(kv, projectId, ENTRIES_MAX + EXTRA_MAX);
  for (const { key } of known) op.delete(key);
  op.delete(rowKeys.alertFeed(projectId));
}
