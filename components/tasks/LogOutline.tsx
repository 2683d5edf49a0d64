import type { Ui } from "@/lib/i18n/ui.ts";
import type { LogSections } from "@/lib/output/matches.ts";

interface LogOutlineProps {
  ui: Ui;
  outline: LogSections & { skip: number };
  /** Address of the page, without its query. */
  address: string;
}

/** Plays and tasks of an output, linked to their lines, for a page without script. */
export function LogOutline({ ui, outline, address }: LogOutlineProps) {
  const { sections, has_next, skip } = outline;
  if (sections.length === 0) return null;
  return (
    <details class="log-outline reveal" open={skip > 0}>
      <summary>{ui.t("task_log.outline")}</summary>
      <ul>
        {sections.map(({ line, title, depth, failed }, n) => (
          <li key={n} class={depth > 0 ? "log-outline-task" : undefined}>
            <a href={`${address}?line=${line}#L${line}`}>{title}</a>
            {failed > 0 && (
              <span class="text-danger">
                {" "}
                {ui.t("task_log.failed", { count: failed })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {has_next && (
        <a href={`${address}?parts=${skip + sections.length}`}>{ui.t("task_log.outline_more")}</a>
      )}
    </details>
  );
}
