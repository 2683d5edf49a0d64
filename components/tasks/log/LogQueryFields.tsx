import type { ComponentChildren } from "preact";
import { Button } from "@/components/ui/Button.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { type LogQuery, SEARCH_LENGTH_MAX } from "@/lib/output/query.ts";

interface LogQueryFieldsProps {
  ui: Ui;
  query: LogQuery | null;
  label: string;
  children?: ComponentChildren;
}

/** Search text and options for output, as fields of a form without script. */
export function LogQueryFields({ ui, query, label, children }: LogQueryFieldsProps) {
  const choices = [
    ["regex", ui.t("task_log.regex"), query?.isRegex],
    ["case", ui.t("task_log.case"), query?.isExact],
  ] as const;
  return (
    <>
      <input
        type="search"
        name="q"
        value={query?.text}
        aria-label={label}
        placeholder={label}
        maxLength={SEARCH_LENGTH_MAX}
        autocomplete="off"
        spellcheck={false}
        required
      />
      {choices.map(([name, text, isChosen], n) => (
        <label key={n} class="log-choice">
          <input type="checkbox" name={name} value="true" checked={isChosen} />
          {text}
        </label>
      ))}
      {children}
      <Button>{ui.t("task_log.find")}</Button>
    </>
  );
}
