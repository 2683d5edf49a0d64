import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
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

/** The plays and tasks of an output of `total` lines. They are read once it is opened. */
function createSections(api: string, total: ReadonlySignal<number>, firstFailure: number | null) {
  const known = signal({ ...NOTHING, firstFailure });
  const isDue = computed(() => known.value.upTo < total.value || known.value.isLate);

  /** Reads the sections after the settled ones. */
  async function read(before: Known): Promise<Known> {
    const { sections, settled, upTo } = before;
    const lines = total.value;
    const more = await ask(`${api}/sections?skip=${settled}`).catch(() => null);
    if (!more) return { ...before, waitMs: AGAIN_MS };
    const seen = more.has_next ? settled + more.sections.length : sections.length;
    return {
      sections: [...sections.slice(0, settled), ...more.sections],
      firstFailure: more.first_failure,
      upTo: more.has_next ? upTo : lines,
      waitMs: more.has_next ? 0 : AGAIN_MS,
      settled: Math.max(0, seen - 1),
      isLate: upTo > 0 && upTo < lines,
    };
  }

  return {
    sections: computed(() => known.value.sections),
    firstFailure: computed(() => known.value.firstFailure),
    /** Reads the sections, and those of new lines, until the returned function is called. */
    open: () =>
      effect(() => {
        if (!isDue.value) return;
        const before = known.value;
        let isGone = false;
        const readOn = async () => {
          const after = await read(before);
          if (!isGone) known.value = after;
        };
        const timer = setTimeout(() => readOn().catch(reportError), before.waitMs);
        return () => {
          isGone = true;
          clearTimeout(timer);
        };
      }),
  };
}

/**
 * The plays and tasks of an output of `total` lines, and which of them are folded. `failure` is the
 * first failure, if it is known before they are.
 */
export function createLogOutline(
  api: string,
  total: ReadonlySignal<number>,
  failure: number | null,
) {
  const { sections, firstFailure, open } = createSections(api, total, failure);
  const byLine = computed(() => new Map(sections.value.map(({ line }, n) => [line, n])));
  const isFolded = signal(false);
  /** Lines of sections that are not folded or unfolded like all others. */
  const toggled = signal<ReadonlySet<number>>(new Set());

  /** Folding all closes the Ansible tasks except failed ones, because readers look for those. */
  const isClosed = ({ line, depth, failed }: FoldedSection) =>
    toggled.value.has(line) !== (isFolded.value && depth > 0 && failed === 0);
  const folds = computed(() => foldsOf(sections.value, isClosed, total.value));
  const toggle = (...lines: number[]) =>
    toggled.value = toggled.value.symmetricDifference(new Set(lines));

  return {
    folds,
    isFolded,
    firstFailure,
    open,
    hasSections: computed(() => sections.value.length > 0),
    fold(is: boolean) {
      batch(() => {
        isFolded.value = is;
        toggled.value = new Set();
      });
    },
    /** Returns the section that begins at a line. */
    at: (line: number): FoldedSection | null =>
      sections.value[byLine.value.get(line) ?? -1] ?? null,
    isClosed,
    /** Returns the number of lines after the first one of a section. */
    sizeOf: ({ line }: FoldedSection): number =>
      endOf(sections.value, byLine.value.get(line)!, total.value) - line,
    toggle,
    /** Unfolds the sections that hide a line. */
    reveal(line: number) {
      if (!folds.value.hides(line)) return;
      const before = sections.value.filter((section) => section.line <= line);
      const play = before.findLast(({ depth }) => depth === 0);
      const over = [play, before.at(-1)].filter((section) => section && isClosed(section));
      toggle(...new Set(over.map((section) => section!.line)));
    },
  };
}

async function ask(url: string): Promise<LogSections> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return await answer.json();
}
