import {
  announcesPlayTask,
  bannerOf,
  failedHost,
  ignoresFailure,
  showsFailure,
} from "./banners.ts";

/** A section of an output, from its line up to that of the next one. */
export interface LogSection {
  line: number;
  title: string;
  /** 0 for plays, 1 for their tasks. */
  depth: number;
  /** Number of its lines that report failures which were not ignored. */
  failed: number;
}

/** Outline members of an output's head. */
export interface OutlineHead {
  /** Number of Ansible tasks announced so far. */
  play_tasks: number;
  /** Number of stored sections. */
  sections: number;
  /** The first line that reports a failure which was not ignored; 0 for none. */
  first_failure: number;
}

/**
 * Maximum number of sections in one row and in one output. Further lines belong to the last
 * section.
 */
export const PAGE_SECTIONS = 50;
const SECTIONS_MAX = 10_000;

interface Outline {
  /** Adds the next line. */
  add(id: number, line: string): void;
  /** Returns the outline members of the head so far. */
  head(): OutlineHead;
  /** Returns the pages that changed since the last call, by their number. */
  changed(): Map<number, LogSection[]>;
}

/**
 * Finds the sections of an output while it is written. `tail` has the sections of the last stored
 * page.
 */
export function createOutline(from: OutlineHead, tail: LogSection[]): Outline {
  let { play_tasks, sections, first_failure } = from;
  let page = tail;
  let changed = new Map<number, LogSection[]>();
  /**
   * The last failures of one host. A line that follows may report that all of them were ignored.
   */
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
      } else if (showsFailure(line)) {
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
