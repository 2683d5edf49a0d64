import type { Ui } from "../../lib/i18n/ui.ts";

const SHOWN_MAX = 50;

/** A list in a disclosure. A long list is cut off. */
export function Names({ ui, title, names }: { ui: Ui; title: string; names: string[] }) {
  if (names.length === 0) return null;
  const more = names.length - SHOWN_MAX;
  return (
    <details class="trial-names">
      <summary>{title}</summary>
      <ul>
        {names.slice(0, SHOWN_MAX).map((name) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
        {more > 0 && <li>{ui.t("probes.more", { count: more })}</li>}
      </ul>
    </details>
  );
}
