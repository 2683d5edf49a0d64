import { useEffect, useState } from "preact/hooks";
import type { Found } from "../../search/schema.ts";

/** Delay after the last character. */
const TYPING_MS = 120;
const HITS = 5;

interface Search {
  /**
   * The query that `found` belongs to. It is older than the typed text while the latest answer is
   * pending.
   */
  q: string;
  found: Found | null;
  failed: boolean;
}

/**
 * Returns the API's results for the typed text. The latest input wins, in whatever order answers
 * arrive.
 */
export function useFound(api: string, typed: string): Search {
  const q = typed.trim();
  const [search, setSearch] = useState<Search>({ q: "", found: null, failed: false });

  useEffect(() => {
    if (q === "") return setSearch({ q, found: null, failed: false });
    const newer = new AbortController();
    const ask = async () => {
      try {
        const query = new URLSearchParams({ q, limit: String(HITS) });
        const response = await fetch(`${api}?${query}`, { signal: newer.signal });
        if (!response.ok) throw new Error(response.statusText);
        setSearch({ q, found: await response.json(), failed: false });
      } catch {
        if (!newer.signal.aborted) setSearch({ q, found: null, failed: true });
      }
    };
    const timer = setTimeout(ask, TYPING_MS);
    return () => {
      clearTimeout(timer);
      newer.abort();
    };
  }, [api, q]);

  return search;
}
