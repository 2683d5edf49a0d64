import { computed, effect, signal } from "@preact/signals-core";
import type { Entry, PaletteProps } from "../../../components/palette/entries.ts";
import type { Found, SearchKind } from "../../search/schema.ts";
import { taskPaths } from "../../base/task_paths.ts";
import { rankOf, wantedOf } from "../../search/rank.ts";
import { KIND_ICONS } from "./kind_icons.ts";
import { readRecent, type Way } from "./open_entry.ts";

/** Delay after the last character. */
const TYPING_MS = 120;
const HITS = 5;
/** Maximum number of pages and actions beside search results. */
const ENTRIES_BESIDE = 4;

interface Answer {
  /** The query that was answered. It is older than the typed text while an answer is pending. */
  q: string;
  found: Found | null;
  failed: boolean;
}

const NO_ANSWER: Answer = { q: "", found: null, failed: false };

export type PaletteStore = ReturnType<typeof createPalette>;

/**
 * The state of the palette that its parts share: the typed text and its results.
 * `leave` opens a row.
 */
export function createPalette(
  props: PaletteProps,
  leave: (row: Entry, way: Way) => void,
) {
  const { projectId, search, texts } = props;
  const recent = readRecent(projectId);
  const typed = signal("");
  const answer = signal(NO_ANSWER);
  const q = computed(() => typed.value.trim());
  const isOld = computed(() => answer.value.q !== q.value);
  const groups = computed(() => rowsOf(props, { q: q.value, found: answer.value.found, recent }));
  const rows = computed(() => groups.value.flatMap((group) => group.rows));
  /** The way that was chosen before the answer. It means the best match for the new text. */
  let awaited: Way | null = null;

  function take(next: Answer) {
    answer.value = next;
    if (awaited) leaveAt(0, awaited);
    awaited = null;
  }

  /** Opens a row. Without a search there may be none. */
  function leaveAt(index: number, way: Way) {
    const row = rows.value[index];
    if (row) leave(row, way);
  }

  return {
    typed,
    groups,
    rows,
    isOld,
    /** The sentence for screen readers. The row that leads to the search is not a match. */
    announcement: computed(() => {
      if (answer.value.failed) return texts["search.failed"];
      return isOld.value
        ? ""
        : announcementOf(texts, q.value, rows.value.length - (search ? 1 : 0));
    }),
    type(text: string) {
      awaited = null;
      typed.value = text;
    },
    /** Opens a row, or while the answer to the typed text is pending, the first one of it. */
    choose(index: number, way: Way) {
      if (isOld.value) awaited = way;
      else leaveAt(index, way);
    },
    leave,
    /** Searches until the returned function is called. The latest text wins. */
    open: () =>
      effect(() => {
        if (q.value === "") answer.value = NO_ANSWER;
        else if (search) return askSoon(search.api, q.value, take);
        else take({ q: q.value, found: null, failed: false });
      }),
  };
}

/** Asks the API shortly, unless the returned function is called before the answer. */
function askSoon(api: string, q: string, take: (answer: Answer) => void): () => void {
  const gone = new AbortController();
  const ask = async () => {
    try {
      const query = new URLSearchParams({ q, limit: String(HITS) });
      const response = await fetch(`${api}?${query}`, { signal: gone.signal });
      if (!response.ok) throw new Error(response.statusText);
      take({ q, found: await response.json(), failed: false });
    } catch {
      if (!gone.signal.aborted) take({ q, found: null, failed: true });
    }
  };
  const timer = setTimeout(() => ask().catch(reportError), TYPING_MS);
  return () => {
    clearTimeout(timer);
    gone.abort();
  };
}

function announcementOf(texts: PaletteProps["texts"], q: string, count: number): string {
  if (q === "") return "";
  return count === 0
    ? texts["search.nothing"].replace("{{query}}", () => q)
    : texts["search.found"].replace("{{number}}", String(count));
}

interface RowGroup {
  label: string;
  rows: Entry[];
}

/**
 * Returns the options of the palette: recent entries and all pages, or matches for the typed text.
 */
function rowsOf(
  props: PaletteProps,
  { q, found, recent }: { q: string; found: Found | null; recent: Entry[] },
): RowGroup[] {
  const { entries, search, texts } = props;
  const groups = q === ""
    ? [
      { label: texts["search.recent"], rows: recent },
      { label: texts["search.go_to"], rows: entries },
    ]
    : [
      { label: texts["search.go_to"], rows: fitting(entries, q) },
      ...(found?.groups ?? []).map((group) => foundRows(props, group)),
      { label: texts["search.title"], rows: search ? [everything(search.page, texts, q)] : [] },
    ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function fitting(entries: Entry[], q: string): Entry[] {
  const wanted = wantedOf(q);
  return entries.map((entry) => ({ entry, rank: rankOf(entry.name, wanted) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => a.rank! - b.rank!)
    .slice(0, ENTRIES_BESIDE)
    .map(({ entry }) => entry);
}

/** Paths of the forms that start what is found. */
const START: { [Kind in SearchKind]?: (projectId: number, id: number) => string } = {
  templates: (projectId, id) => taskPaths.startTask(projectId, id),
  workflows: (projectId, id) => taskPaths.workflow(projectId, id, "/run"),
};

function foundRows(
  { projectId, basePath, mayRun, texts }: PaletteProps,
  { kind, hits }: Found["groups"][number],
): RowGroup {
  const rows = hits.map(({ id, name, detail, page }): Entry => ({
    name,
    detail,
    icon: KIND_ICONS[kind],
    href: basePath + page,
    over: kind === "tasks",
    run: mayRun && START[kind] ? basePath + START[kind](projectId, id) : undefined,
  }));
  return { label: texts[`search.kinds.${kind}`], rows };
}

const everything = (page: string, texts: PaletteProps["texts"], q: string): Entry => ({
  name: texts["search.everything"].replace("{{query}}", () => q),
  icon: "search",
  href: `${page}?${new URLSearchParams({ q })}`,
});
