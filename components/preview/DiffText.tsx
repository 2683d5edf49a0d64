import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";

/** Lines of one difference that are shown. */
const LINES_MAX = 200;

/** A unified diff, its lines told apart by sign and colour. */
export function DiffText({ ui, diff }: { ui: Ui; diff: string }) {
  const lines = diff.split("\n", LINES_MAX + 1);
  return (
    <>
      <pre class="diff-text" tabIndex={0}>
        {lines.slice(0, LINES_MAX).map((line) => (
          <span class={classOf(line)}>{`${visible(line)}\n`}</span>
        ))}
      </pre>
      {lines.length > LINES_MAX && <p>{ui.t("preview.cut")}</p>}
    </>
  );
}

function classOf(line: string): string | undefined {
  if (/^(\+\+\+|---|@@)/.test(line)) return "diff-head";
  if (line.startsWith("+")) return "diff-added";
  return line.startsWith("-") ? "diff-removed" : undefined;
}
