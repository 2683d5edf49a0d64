import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";
import type { TemplateChange } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

/**
 * Changes to the template between the two tasks, by user and time. Their effects are among the
 * facts that differ.
 */
export const TemplateChanges = ({ ui, changes }: { ui: Ui; changes: TemplateChange[] }) => (
  <section id="compare-changes" aria-labelledby="compare-changes-title">
    <h2 id="compare-changes-title">{ui.t("compare.changes")}</h2>
    <ul class="compare-list">
      {changes.map(({ time, by }) => (
        <li>
          <Sentence
            ui={ui}
            of="compare.changed"
            params={{ name: by ?? ui.t("compare.somebody") }}
            parts={{ time: <Time ui={ui} at={time} /> }}
          />
        </li>
      ))}
    </ul>
  </section>
);
