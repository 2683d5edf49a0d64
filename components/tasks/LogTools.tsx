import type { ComponentChildren } from "preact";
import type { useLogSearch } from "../../lib/client/output/search.ts";
import { foundText, LogSearch } from "./LogSearch.tsx";
import type { TaskLogTexts } from "./log_texts.ts";

interface LogToolsProps {
  texts: TaskLogTexts;
  language: string;
  search: ReturnType<typeof useLogSearch>;
  /** Total number of lines. */
  total: number;
  isConnected: boolean;
  /** Whether the script runs. Until then, the controls would do nothing. */
  isReady: boolean;
  /** Further controls. */
  children: ComponentChildren;
}

/** The toolbar of a log: search, number of lines, and display options. */
export function LogTools(
  { texts, language, search, total, isConnected, isReady, children }: LogToolsProps,
) {
  return (
    <div class={`log-tools ${isReady ? "" : "log-tools-unready"}`}>
      <LogSearch texts={texts} search={search} />
      <span class="log-count" role="status">
        {isConnected ? foundText({ texts, search }, language, total) : texts.reconnecting}
      </span>
      {children}
    </div>
  );
}

interface LogChoiceProps {
  label: string;
  checked: boolean;
  onChange(is: boolean): void;
}

/** A checkbox for a display option of the log. */
export const LogChoice = ({ label, checked, onChange }: LogChoiceProps) => (
  <label class="log-choice">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
);
