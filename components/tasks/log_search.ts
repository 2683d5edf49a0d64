import { useMemo, useRef, useState } from "preact/hooks";
import type { LiveRecord } from "@/lib/base/hub.ts";
import { plainText } from "./ansi.ts";

/** Which rows hold a text, as far as they have been looked at. */
interface Search {
  wanted: string;
  /** Number of the first line, and count of the lines, that were looked at. */
  from: number;
  looked: number;
  rows: number[];
}

export const NO_SEARCH: Search = { wanted: "", from: 0, looked: 0, rows: [] };

/** The rows that hold `wanted`, in any case. Goes on from `before` where only lines were added. */
export function searchRows(records: LiveRecord[], wanted: string, before: Search): Search {
  const from = records[0]?.id ?? 0;
  const goesOn = before.wanted === wanted && before.from === from &&
    before.looked <= records.length;
  const rows = goesOn ? before.rows.slice() : [];
  for (let row = goesOn ? before.looked : 0; row < records.length && wanted !== ""; row++) {
    if (plainText(records[row].output).toLowerCase().includes(wanted)) rows.push(row);
  }
  return { wanted, from, looked: records.length, rows };
}

/** Finds lines by their text, case-insensitively, one after the other. */
export function useSearch(records: LiveRecord[]) {
  const [wanted, setWanted] = useState("");
  const [position, setPosition] = useState(-1);
  const before = useRef(NO_SEARCH);
  const { rows } = useMemo(
    () => before.current = searchRows(records, wanted, before.current),
    [records, wanted],
  );
  const row = rows[position];
  return {
    wanted,
    rows,
    current: row === undefined ? null : records[row].id,
    look(text: string) {
      setWanted(text.trim().toLowerCase());
      setPosition(-1);
    },
    next(): number | null {
      if (rows.length === 0) return null;
      const following = (position + 1) % rows.length;
      setPosition(following);
      return rows[following];
    },
  };
}
