import type { FoldedSection } from "../../lib/client/output/folds.ts";
import type { TaskLogTexts } from "./log_texts.ts";
import { inPlural } from "@/lib/i18n/plural.ts";

interface LogFoldProps {
  section: FoldedSection;
  isClosed: boolean;
  /** Number of lines after it in the section. */
  lines: number;
  texts: TaskLogTexts;
  language: string;
  turn(): void;
}

/** The button on the first line of a play or task that folds and unfolds the other lines. */
export const LogFold = ({ section, isClosed, lines, texts, language, turn }: LogFoldProps) => (
  <>
    <button
      type="button"
      class="log-fold"
      aria-expanded={!isClosed}
      aria-label={texts.fold_toggle.replace("{{title}}", () => section.title)}
      title={texts.fold_toggle.replace("{{title}}", () => section.title)}
      onClick={turn}
    >
      {isClosed ? "▸" : "▾"}
    </button>
    {isClosed && <span class="log-folded">{inPlural(language, texts.lines, lines)}</span>}
    {section.failed > 0 && (
      <span class="log-failed">{inPlural(language, texts.failed, section.failed)}</span>
    )}
  </>
);
