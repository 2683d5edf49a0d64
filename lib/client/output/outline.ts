import { useEffect, useMemo, useState } from "preact/hooks";
import { endOf, type FoldedSection, foldsOf } from "./folds.ts";
import type { LogSections } from "@/lib/output/matches.ts";

/** Delay before the sections of a growing output are read again, or after a failure. */
const AGAIN_MS = 2_000;
const ANSWER_MS = 15_000;

interface Known {
  sections: FoldedSection[];
  firstFailure: number | null;
  /** Number of lines for which the sections are complete. */
  upTo: number;
  /** Delay before the next request. */
  waitMs: number;
  /** Number of final sections. Results arrive a little later than the lines of their section. */
  settled: number;
  /** Whether another request is due although no line has come. */
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
  /** Lines of sections that are not folded or unfolded like all others. */
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

  /** Folding all closes the Ansible tasks except failed ones, because readers look for those. */
  const isClosed = ({ line, depth, failed }: FoldedSection) =>
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
    /** Returns the section that begins at a line, and whether it is folded. */
    at(line: number): { section: FoldedSection; isClosed: boolean; lines: number } | null {
      const n = byLine.get(line);
      if (n === undefined) return null;
      const section = sections[n];
      return { section, isClosed: isClosed(section), lines: endOf(sections, n, total) - line };
    },
    turn: (line: number) => turn([line]),
    /** Unfolds the sections that hide a line. */
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
