import type { useLogScroll } from "./log_scroll.ts";
import type { useSearch } from "./log_search.ts";

/** The sentences of the log, in the reader's language. */
export interface TaskLogTexts {
  label: string;
  follow: string;
  search: string;
  /** "{{count}}" is filled in here. */
  found: string;
  lines: string;
  empty: string;
  reconnecting: string;
}

interface LogToolsProps {
  texts: TaskLogTexts;
  scroll: ReturnType<typeof useLogScroll>;
  search: ReturnType<typeof useSearch>;
  /** How many there are. */
  lines: number;
  connected: boolean;
}

/** What stands above a log: whether its end is followed, the search, and how much there is. */
export function LogTools({ texts, scroll, search, lines, connected }: LogToolsProps) {
  return (
    <div class="log-tools">
      <label class="log-follow">
        <input
          type="checkbox"
          checked={scroll.follow}
          onChange={(event) => scroll.setFollow(event.currentTarget.checked)}
        />
        {texts.follow}
      </label>
      <input
        type="search"
        class="log-search"
        aria-label={texts.search}
        placeholder={texts.search}
        onInput={(event) => search.look(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          const row = search.next();
          if (row !== null) scroll.scrollTo(row);
        }}
      />
      <span class="log-count" role="status">
        {!connected
          ? texts.reconnecting
          : search.wanted
          ? texts.found.replace("{{count}}", String(search.rows.length))
          : texts.lines.replace("{{count}}", String(lines))}
      </span>
    </div>
  );
}
