import type { ComponentChildren } from "preact";
import type { useLogSearch } from "../../lib/client/output/search.ts";
import { foundText, LogSearch } from "./LogSearch.tsx";
import type { TaskLogTexts } from "./log_texts.ts";

interface LogToolsProps {
  texts: TaskLogTexts;
  language: string;
  search: ReturnType<typeof useLogSearch>;
  /** How many lines there are. */
  total: number;
  isConnected: boolean;
  /** Whether the script runs: until then, nothing here would do anything. */
  isReady: boolean;
  /** What else the log offers. */
  children: ComponentChildren;
}

/** What stands above a log: the search, how much there is, and how it is looked at. */
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

/** How the log is looked at: something that is so or not. */
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
