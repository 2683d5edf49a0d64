import type { Option } from "@/components/ui/forms/found_options.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { WAITING_POLICIES } from "@/lib/tasks/waiting_policy.ts";

/** Decisions of a schedule or an integration while its last task still waits. */
export const waitingOptions = (ui: Ui): Option[] =>
  WAITING_POLICIES.map((value) => ({ value, label: ui.t(`if_waiting.${value}`) }));
