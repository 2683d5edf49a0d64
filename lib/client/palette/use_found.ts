import { useEffect, useState } from "preact/hooks";
import type { Found } from "../../search/schema.ts";

/** After the last letter. */
const TYPING_MS = 120;
const HITS = 5;

interface Search {
  /** What `found` is of; older than what is typed while the newest answer is still to come. */
  q: string;
  found: Found | null;
  failed: boolean;
}

/** What the API finds for what is typed: the newest input wins, whenever answers come. */
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
