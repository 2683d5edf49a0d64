import { diffParts } from "./diff_parts.ts";
import { visible } from "@/lib/i18n/visible.ts";

/** A unified diff, unmodified so that it can be copied. Colors repeat the meaning of the signs. */
export const Diff = ({ id, diff, label }: { id?: string; diff: string; label: string }) => (
  <pre id={id} class="result-text diff" tabIndex={0} role="group" aria-label={label}>
    {diffParts(diff).map(({ look, text }, n) => (
      <span key={n} class={`diff-${look}`}>{visible(text)}</span>
    ))}
  </pre>
);
