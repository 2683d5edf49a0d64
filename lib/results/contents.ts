import type { HostResult, ResultStatus } from "../execution/run/events.ts";
import type { ResultText, Row } from "./rows.ts";
import { severityOf } from "./statuses.ts";
import type { FullResult } from "../execution/run/full_result.ts";
import { createHash } from "node:crypto";
import { packed } from "../store/rows/packed_json.ts";

interface Content {
  /** Numbers of the stored values; 0 if there is none. */
  text: number;
  diff: number;
  full: number;
  /** Whether there was no room for some of it. */
  isCut: boolean;
}

/**
 * Collects the texts and differences of results, and at most `fullBytesMax` bytes of module
 * answers.
 */
export function resultContents(fullBytesMax: number) {
  const words = texts<ResultText>("texts");
  const diffs = texts<string>("diffs");
  const full = fullResults(fullBytesMax);

  function addText({ message, delegatedTo, itemResults: items }: HostResult): number {
    const text = { message, delegated_to: delegatedTo, items };
    return words.add(text) || words.add({ ...text, items: [] });
  }

  return {
    add(result: HostResult): Content {
      const { message, delegatedTo, itemResults } = result;
      const hasText = message !== "" || delegatedTo !== "" || itemResults.length > 0;
      const text = hasText ? addText(result) : 0;
      const diff = result.diff ? diffs.add(result.diff) : 0;
      const isCut = hasText && text === 0 || Boolean(result.diff) && diff === 0;
      return { text, diff, full: full.add(result), isCut };
    },
    dropped: full.dropped,
    rows: (): Row[] => [...words.take(), ...diffs.take(), ...full.rows()],
  };
}

/**
 * Share of the room that may be taken when a result is added. Successful results leave room for
 * changes, and both leave room for failures, which may come last.
 */
const shareOf = (status: ResultStatus): number =>
  status === "changed" ? 0.8 : severityOf(status) < severityOf("changed") ? 1 : 0.5;

/** Collects module answers, at most `bytesMax` before compression. */
function fullResults(bytesMax: number) {
  const kept = texts<FullResult>("full", bytesMax);
  let dropped = 0;
  return {
    /** Adds an answer. Returns its number; 0 if it is not stored. */
    add({ full, status }: HostResult): number {
      if (full === undefined || bytesMax === 0) return 0;
      const number = full && kept.add(full, shareOf(status));
      if (!number) dropped++;
      return number ?? 0;
    },
    dropped: () => dropped,
    rows: kept.take as () => Row[],
  };
}

/** KV takes 64 KiB a value. A row is smaller than that even if it cannot be compressed. */
const ROW_BYTES = 56 * 1024;
/**
 * Maximum bytes of the texts of one execution before compression, if a kind has no limit of its
 * own.
 */
const BYTES_MAX = 16 * 1024 * 1024;
/** Maximum number of text hashes that are remembered for deduplication. */
const KNOWN_MAX = 20_000;

const encoder = new TextEncoder();

/**
 * Collects JSON values in chunks, numbered from 1. Repeated values are stored once. A chunk's key
 * is the number of its first value.
 */
function texts<T>(kind: string, bytesMax = BYTES_MAX) {
  const known = new Map<string, number>();
  let [first, count, bytes, total, changed] = [1, 0, 0, 0, false];
  let chunk: T[] = [];
  const full: Row[] = [];
  const rowOf = (): Row => {
    const value = packed(chunk);
    return { at: [kind, first], value, bytes: value.length };
  };

  return {
    /** Adds a value. Returns its number; 0 if there is no room for it in `share` of the limit. */
    add(value: T, share = 1): number {
      const json = JSON.stringify(value);
      const hash = createHash("sha256").update(json).digest("base64");
      const there = known.get(hash);
      if (there !== undefined) return there;
      const size = encoder.encode(json).length + 1;
      if (size > ROW_BYTES || total + size > bytesMax * share) return 0;
      if (bytes + size > ROW_BYTES) {
        full.push(rowOf());
        [first, chunk, bytes] = [count + 1, [], 0];
      }
      chunk.push(value);
      [count, bytes, total, changed] = [count + 1, bytes + size, total + size, true];
      if (known.size < KNOWN_MAX) known.set(hash, count);
      return count;
    },
    take(): Row[] {
      const rows = full.splice(0);
      if (changed) rows.push(rowOf());
      changed = false;
      return rows;
    },
  };
}

/** Maximum bytes of facts in one row and in one task, compressed. */
const FACTS_ROW_BYTES = 60 * 1024;
const FACTS_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum number of parts in which a play may gather the facts of a host. */
const PARTS_MAX = 10;

/** Collects the gathered facts of hosts in rows, which lib/hosts reads and deletes once. */
export function gatheredFacts(isKept: boolean) {
  const parts = new Map<number, number>();
  let rows: Row[] = [];
  let bytes = 0;
  return {
    /**
     * Adds facts. Returns false if there is no room for them. Facts of hosts without results are
     * ignored.
     */
    add(host: number | undefined, facts: FullResult | null): boolean {
      if (!isKept || host === undefined) return true;
      const value = packed([facts]);
      const part = (parts.get(host) ?? 0) + 1;
      if (
        facts === null || value.length > FACTS_ROW_BYTES || part > PARTS_MAX ||
        bytes + value.length > FACTS_BYTES_MAX
      ) {
        return false;
      }
      parts.set(host, part);
      bytes += value.length;
      rows.push({ at: ["facts", host, part], value, bytes: value.length });
      return true;
    },
    rows(): Row[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}
