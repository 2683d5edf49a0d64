import { RESULT_SIGNS } from "./result_signs.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { HostResultView } from "@/lib/results/schema.ts";

/** Result of an Ansible task on a host, or the worst result there. */
export const ResultChip = ({ ui, status }: { ui: Ui; status: HostResultView["status"] }) => (
  <span class={`chip result-${status}`}>
    <span aria-hidden="true">{RESULT_SIGNS[status]}</span>
    {ui.t(`results.status.${status}`)}
  </span>
);
