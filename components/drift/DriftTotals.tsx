import { DriftState } from "./DriftState.tsx";
import { SHOWN_STATES, type ShownState } from "@/lib/drift/state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

interface DriftTotalsProps {
  ui: Ui;
  counts: Record<ShownState, number>;
  /** Address of the hosts in a state. */
  hrefOf(state: ShownState): string;
}

/** The number of hosts in each state, worst first. */
export const DriftTotals = ({ ui, counts, hrefOf }: DriftTotalsProps) => (
  <ul class="drift-totals">
    {SHOWN_STATES.filter((state) => counts[state] > 0).map((state, n) => (
      <li key={n}>
        <a href={hrefOf(state)} data-stay>
          <DriftState ui={ui} state={state} /> <strong>{ui.number(counts[state])}</strong>
        </a>
      </li>
    ))}
  </ul>
);
