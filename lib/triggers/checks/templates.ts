import type { ProjectScope } from "../../access/scope.ts";
import type { Expected } from "../../base/version.ts";
import type { TemplateForm, TemplateRow, TemplateView } from "../../templates/schema.ts";
import { requireLimits } from "../../queue/inputs/overrides.ts";
import { createTemplate, updateTemplate } from "../../templates/service.ts";
import { putCheckSchedules } from "../schedules/template_checks.ts";
import type { Atomic } from "../../store/store.ts";

/** Creates a template with the schedules of its checks, in one commit. */
export const createCheckedTemplate = (
  scope: ProjectScope<"manage_resources">,
  form: TemplateForm,
): Promise<TemplateView> => createTemplate(scope, form, withChecks(scope));

/** Changes a template and the schedules of its checks, in one commit. */
export const updateCheckedTemplate = (
  scope: ProjectScope<"manage_resources">,
  id: number,
  form: TemplateForm,
  expected?: Expected,
): Promise<void> => updateTemplate(scope, id, form, expected, withChecks(scope));

const withChecks = ({ deps: { kv, clock } }: ProjectScope) => (op: Atomic, row: TemplateRow) => {
  requireLimits({ limit: [], template_arguments: row.arguments, arguments: null });
  return putCheckSchedules(kv, op, row, clock.now());
};
