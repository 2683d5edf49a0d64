import { RECAP_COUNTS } from "@/lib/execution/run/events.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

type Recap = Record<(typeof RECAP_COUNTS)[number], number>;

/** The counts of Ansible's recap that are not zero, such as "ok 3 changed 1". */
export const RecapCounts = ({ ui, recap }: { ui: Ui; recap: Recap }) => (
  <span class="recap-counts">
    {RECAP_COUNTS.filter((name) => recap[name] > 0).map((name, n) => (
      <span key={n}>
        {ui.t(`results.status.${name}`)} <strong>{ui.number(recap[name])}</strong>
      </span>
    ))}
  </span>
);
