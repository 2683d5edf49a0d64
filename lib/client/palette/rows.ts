import { paths } from "../../base/paths.ts";
import { rankOf, wantedOf } from "../../search/rank.ts";
import type { Found } from "../../search/schema.ts";
import { KIND_ICONS } from "./kind_icons.ts";
import type { Entry, PaletteProps } from "../../../components/palette/entries.ts";

interface RowGroup {
  label: string;
  rows: Entry[];
}

/** Maximum number of pages and actions beside search results. */
const ENTRIES_BESIDE = 4;

/**
 * Returns the options of the palette: recent entries and all pages, or matches for the typed text.
 */
export function rowsOf(
  props: PaletteProps,
  { q, found, recent }: { q: string; found: Found | null; recent: Entry[] },
): RowGroup[] {
  const { entries, texts } = props;
  const groups = q === ""
    ? [
      { label: texts["search.recent"], rows: recent },
      { label: texts["search.go_to"], rows: entries },
    ]
    : [
      { label: texts["search.go_to"], rows: fitting(entries, q) },
      ...(found?.groups ?? []).map((group) => foundRows(props, group)),
      { label: texts["search.title"], rows: [everything(props, q)] },
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

/** A template has a row to open it, and another one to run it. */
function foundRows(
  { projectId, basePath, mayRun, texts }: PaletteProps,
  { kind, hits }: Found["groups"][number],
): RowGroup {
  const rows = hits.flatMap(({ id, name, detail, page }): Entry[] => {
    const over = kind === "tasks";
    const entry = { name, detail, icon: KIND_ICONS[kind], href: basePath + page, over };
    if (kind !== "templates" || !mayRun) return [entry];
    const run = texts["search.run"].replace("{{name}}", () => name);
    const href = basePath + paths.startTask(projectId, id);
    return [entry, { name: run, icon: "play", href, over: true }];
  });
  return { label: texts[`search.kinds.${kind}`], rows };
}

const everything = ({ page, texts }: PaletteProps, q: string): Entry => ({
  name: texts["search.everything"].replace("{{query}}", () => q),
  icon: "search",
  href: `${page}?${new URLSearchParams({ q })}`,
});
