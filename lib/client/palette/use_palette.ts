import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Entry, PaletteProps } from "../../../components/palette/entries.ts";
import { readRecent, rememberRecent } from "./recent.ts";
import { rowsOf } from "./rows.ts";
import { useFound } from "./use_found.ts";

/** The typed text of the palette, its results, and the selected row. */
export function usePalette(props: PaletteProps, close: () => void) {
  const { projectId, api, texts } = props;
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const recent = useMemo(() => readRecent(projectId), [projectId]);
  const { q, found, failed } = useFound(api, typed);
  const isOld = q !== typed.trim();
  const groups = rowsOf(props, { q: typed.trim(), found, recent });
  const rows = groups.flatMap((group) => group.rows);
  const at = Math.min(active, rows.length - 1);
  const awaited = useRef(false);

  function open(row: Entry, inNew: boolean) {
    rememberRecent(projectId, row);
    close();
    if (inNew) globalThis.open(row.href, "_blank", "noopener");
    else if (row.over) openOver(row.href);
    else location.assign(row.href);
  }

  // Enter was pressed before the answer. It means the best match for the new text, not the old one.
  useEffect(() => {
    if (isOld || !awaited.current) return;
    awaited.current = false;
    open(rows[0], false);
  }, [isOld]);

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((at + step + rows.length) % rows.length);
    else if (event.key !== "Enter" || event.isComposing) return;
    else if (isOld) awaited.current = true;
    else open(rows[at], event.ctrlKey || event.metaKey);
    event.preventDefault();
  }

  function type(text: string) {
    setTyped(text);
    setActive(0);
    awaited.current = false;
  }

  // The last row leads to the search and is not a match.
  const told = failed ? texts["search.failed"] : isOld ? "" : toldOf(texts, q, rows.length - 1);
  return { typed, type, groups, at, isOld, told, open, onKeyDown };
}

/**
 * Opens a dialog by the page's script, like a link with `data-over`. Without that script, it
 * navigates.
 */
function openOver(href: string): void {
  const link = Object.assign(document.createElement("a"), { href, hidden: true });
  link.dataset.over = "";
  document.body.append(link);
  link.click();
  link.remove();
}

function toldOf(texts: PaletteProps["texts"], q: string, count: number): string {
  if (q === "") return "";
  return count === 0
    ? texts["search.nothing"].replace("{{query}}", () => q)
    : texts["search.found"].replace("{{number}}", String(count));
}
