import {
  announcesPlayTask,
  bannerOf,
  failedHost,
  ignoresFailure,
  tellsFailure,
} from "./banners.ts";

/** A part of an output, from its line to that of the next one. */
export interface LogSection {
  line: number;
  title: string;
  /** 0 for plays, 1 for their tasks. */
  depth: number;
  /** Lines of it that tell of failures which nothing ignored. */
  failed: number;
}

/** What an output's head knows of its parts; none of it in heads of earlier versions. */
export interface OutlineHead {
  /** Tasks of plays that Ansible has announced. */
  play_tasks?: number;
  /** How many parts are stored. */
  sections?: number;
  /** The first line that tells of a failure which nothing ignored; 0 for none. */
  first_failure?: number;
}

/** Parts that are stored in one row, and of one output: what is behind them belongs to the last one. */
export const PAGE_SECTIONS = 50;
const SECTIONS_MAX = 10_000;

interface Outline {
  /** Takes the next line. */
  add(id: number, line: string): void;
  /** What is known by now. */
  head(): Required<OutlineHead>;
  /** The pages that changed since it was asked last, by their number. */
  changed(): Map<number, LogSection[]>;
}

/** Finds the parts of an output while it is written; `tail` has those of the last page so far. */
export function createOutline(from: OutlineHead, tail: LogSection[]): Outline {
  let { play_tasks = 0, sections = 0, first_failure = 0 } = from;
  let page = tail;
  let changed = new Map<number, LogSection[]>();
  /** The last failures of one host: some lines later, all of them may be ignored. */
  let last = { host: "", lines: 0, before: first_failure };
  const touch = () => changed.set(Math.ceil(sections / PAGE_SECTIONS) - 1, page);

  function addFailures(count: number) {
    const section = page.at(-1);
    if (!section) return;
    section.failed = Math.max(0, section.failed + count);
    touch();
  }

  return {
    add(id, line) {
      if (announcesPlayTask(line)) play_tasks++;
      const banner = bannerOf(line);
      if (banner) {
        last = { host: "", lines: 0, before: first_failure };
        if (sections >= SECTIONS_MAX) return;
        if (sections++ % PAGE_SECTIONS === 0) page = [];
        page.push({ line: id, ...banner, failed: 0 });
        touch();
      } else if (tellsFailure(line)) {
        const host = failedHost(line);
        const isSame = host !== "" && host === last.host;
        last = isSame
          ? { ...last, lines: last.lines + 1 }
          : { host, lines: 1, before: first_failure };
        first_failure ||= id;
        addFailures(1);
      } else if (ignoresFailure(line) && last.lines > 0) {
        first_failure = last.before;
        addFailures(-last.lines);
        last = { host: "", lines: 0, before: first_failure };
      }
    },
    head: () => ({ play_tasks, sections, first_failure }),
    changed() {
      const now = changed;
      changed = new Map();
      return now;
    },
  };
}
