import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import type { RuleRow } from "./rules/schema.ts";
import type { AlertSetup } from "./scope.ts";
import type { TargetRow } from "./targets/rows.ts";

/** Adds a target to `op` without any check, for a project that is not visible yet. */
export const plantTarget = (op: Atomic, row: TargetRow): void =>
  void op.set(rowKeys.alertTarget(row.project_id, row.id), row);

/** Adds a rule to `op` in the same way. */
export const plantRule = (op: Atomic, row: RuleRow): void =>
  void op.set(rowKeys.alertRule(row.project_id, row.id), row);

/** Adds the numbers of the planted rows to `op`. */
export function plantSetup(
  op: Atomic,
  projectId: number,
  { alert_targets, alert_rules }: { alert_targets: TargetRow[]; alert_rules: RuleRow[] },
): void {
  const setup: AlertSetup = { targets: alert_targets.length, rules: alert_rules.length };
  if (setup.targets + setup.rules > 0) op.set(rowKeys.alertSetup(projectId), setup);
}
