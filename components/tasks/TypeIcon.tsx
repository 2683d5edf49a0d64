import { Icon } from "@/components/ui/Icon.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateType } from "@/lib/model/template_row.ts";

/** Returns "Run", "Build" or "Deploy". */
export const runLabel = (ui: Ui, type: TemplateType): string =>
  ui.t(`start_task.run.${type || "task"}`);

/** Returns "Run on 30 hosts", or its equivalent for a build or deploy. */
export const runOnLabel = (ui: Ui, type: TemplateType, count: number): string =>
  ui.t(`start_task.run_on.${type || "task"}`, { count });

/** Returns "Run Nightly backup", or its equivalent for a build or deploy. */
export const runTitle = (ui: Ui, { type, name }: { type: TemplateType; name: string }): string =>
  ui.t(`start_task.title.${type || "task"}`, { name });

/** Returns "Run again", or its equivalent for a build or deploy. */
export const againLabel = (ui: Ui, type: TemplateType): string =>
  ui.t(`start_task.again.${type || "task"}`);

/** Returns "Task", "Build" or "Deploy". */
export const typeLabel = (ui: Ui, type: TemplateType): string =>
  ui.t(`templates.type.${type || "task"}`);

export function TypeIcon({ ui, type }: { ui: Ui; type: TemplateType }) {
  return <Icon name={type || "task"} label={typeLabel(ui, type)} class="text-muted" />;
}
