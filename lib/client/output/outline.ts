import { useEffect, useMemo, useState } from "preact/hooks";
import { endOf, foldsOf, type LogSection } from "./folds.ts";
import type { LogSections } from "@/lib/output/matches.ts";

/** Between two looks at the parts of an output that grows, or after a failure. */
const AGAIN_MS = 2_000;
const ANSWER_MS = 15_000;

interface Known {
  sections: LogSection[];
  firstFailure: number | null;
  /** How many lines there were when these were all parts. */
  upTo: number;
  /** Before they are looked at again. */
  waitMs: number;
  /** How many are as they will stay. Results come a little later than the lines of their part. */
  settled: number;
  /** Whether another look is due although no line has come. */
  isLate: boolean;
}

const NOTHING: Known = {
  sections: [],
  firstFailure: null,
  upTo: 0,
  waitMs: 0,
  settled: 0,
  isLate: false,
};

/** The plays and tasks of an output of `total` lines, and which of them are folded. */
export function useLogOutline(api: string, total: number) {
  const [known, setKnown] = useState(NOTHING);
  const [isFolded, setFolded] = useState(false);
  /** Those that are not as all others are, by their lines. */
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set());
  const { sections, firstFailure, upTo, settled, isLate } = known;
  const isDue = upTo < total || isLate;

  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(async () => {
      const more = await ask(`${api}/sections?skip=${settled}`).catch(() => null);
      if (!more) return setKnown({ ...known, waitMs: AGAIN_MS });
      const seen = more.has_next ? settled + more.sections.length : sections.length;
      setKnown({
        sections: [...sections.slice(0, settled), ...more.sections],
        firstFailure: more.first_failure,
        upTo: more.has_next ? upTo : total,
        waitMs: more.has_next ? 0 : AGAIN_MS,
        settled: Math.max(0, seen - 1),
        isLate: upTo > 0 && upTo < total,
      });
    }, known.waitMs);
    return () => clearTimeout(timer);
  }, [api, known, isDue]);

  /** All fold their tasks, but what failed: that is what one looks for. */
  const isClosed = ({ line, depth, failed }: LogSection) =>
    turned.has(line) !== (isFolded && depth > 0 && failed === 0);
  const folds = useMemo(() => foldsOf(sections, isClosed, total), [
    sections,
    isFolded,
    turned,
    total,
  ]);
  const byLine = useMemo(() => new Map(sections.map(({ line }, n) => [line, n])), [
    sections,
  ]);
  const turn = (lines: number[]) =>
    setTurned((turned) => turned.symmetricDifference(new Set(lines)));

  return {
    folds,
    firstFailure,
    hasSections: sections.length > 0,
    isFolded,
    fold(is: boolean) {
      setFolded(is);
      setTurned(new Set());
    },
    /** What begins at a line, and whether it is folded. */
    at(line: number): { section: LogSection; isClosed: boolean; lines: number } | null {
      const n = byLine.get(line);
      if (n === undefined) return null;
      const section = sections[n];
      return { section, isClosed: isClosed(section), lines: endOf(sections, n, total) - line };
    },
    turn: (line: number) => turn([line]),
    /** Unfolds what hides a line. */
    reveal(line: number) {
      const before = sections.filter((section) => section.line <= line);
      const play = before.findLast(({ depth }) => depth === 0);
      const over = [play, before.at(-1)].filter((section) => section && isClosed(section));
      if (folds.hides(line)) turn([...new Set(over.map((section) => section!.line))]);
    },
  };
}

async function ask(url: string): Promise<LogSections> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return await answer.json();
}
