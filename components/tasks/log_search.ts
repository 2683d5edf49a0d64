import { useEffect, useState } from "preact/hooks";
import type { LogMatches } from "@/lib/tasks/log_matches.ts";

/** After the last letter that was typed; before lines that have come since are looked at. */
const TYPING_MS = 250;
const AGAIN_MS = 1_000;
const RETRY_MS_MAX = 30_000;
const ANSWER_MS = 30_000;
/** Matches that are looked for before the reader asks for more. */
const MATCHES = 1_000;

const NOTHING: LogMatches = { lines: [], searched: 0 };

/**
 * Finds a text in the whole of a task's output, on the server at `url`: it has all lines, and the
 * page has few of them. In a log that grows it goes on with the new ones.
 */
export function useLogSearch(url: string, total: number, goTo: (line: number) => void) {
  const [wanted, setWanted] = useState("");
  const [found, setFound] = useState(NOTHING);
  const [limit, setLimit] = useState(MATCHES);
  const [position, setPosition] = useState(-1);
  const [failures, setFailures] = useState(0);
  const { lines, searched } = found;
  const isBehind = wanted !== "" && searched < total && lines.length < limit;

  useEffect(() => {
    if (!isBehind) return;
    let isWanted = true;
    const delayMs = failures > 0
      ? Math.min(AGAIN_MS * 2 ** failures, RETRY_MS_MAX)
      : found === NOTHING
      ? TYPING_MS
      : AGAIN_MS;
    const timer = setTimeout(async () => {
      const more = await ask(url, wanted, searched).catch(() => null);
      if (!isWanted) return;
      if (!more || more.searched <= searched) return setFailures((count) => count + 1);
      setFailures(0);
      setFound({ lines: [...lines, ...more.lines], searched: more.searched });
    }, delayMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [url, wanted, isBehind, found, failures]);

  function goToMatch(next: number) {
    setPosition(next);
    goTo(lines[next]);
  }

  return {
    wanted,
    found,
    /** The match that was gone to, from 0; -1 for none. */
    position,
    current: lines[position] ?? null,
    look(text: string) {
      setWanted(text.trim());
      setFound(NOTHING);
      setLimit(MATCHES);
      setPosition(-1);
      setFailures(0);
    },
    next() {
      if (lines.length === 0) return;
      const following = position + 1;
      if (following < lines.length) goToMatch(following);
      else if (searched < total) setLimit(lines.length + MATCHES);
      else goToMatch(0);
    },
    previous() {
      if (lines.length > 0) goToMatch(position > 0 ? position - 1 : lines.length - 1);
    },
  };
}

async function ask(url: string, wanted: string, after: number): Promise<LogMatches> {
  const query = new URLSearchParams({ q: wanted, after: String(after) });
  const answer = await fetch(`${url}?${query}`, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return await answer.json();
}
