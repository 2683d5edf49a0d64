import { RESULT_LOOKS } from "./result_looks.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { HostResult } from "@/lib/results/schema.ts";

/** How a play task ended on a host, or what is the worst that happened there. */
export const ResultChip = ({ ui, status }: { ui: Ui; status: HostResult["status"] }) => (
  <span class={`chip result-${status}`}>
    <span aria-hidden="true">{RESULT_LOOKS[status]}</span>
    {ui.t(`results.status.${status}`)}
  </span>
);
