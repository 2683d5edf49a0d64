import { Checkbox } from "@/components/ui/Choice.tsx";
import { Field } from "@/components/ui/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Default hosts and tags of a template's tasks, as comma-separated lists. */
export const PARAM_LISTS = ["limit", "tags", "skip_tags"] as const;

/** Options that each task can override, and features that the template's tasks leave out. */
const SWITCHES = [
  "task_params.allow_override_limit",
  "task_params.allow_override_tags",
  "task_params.allow_override_skip_tags",
  "task_params.allow_override_inventory",
  "allow_override_branch_in_task",
  "refuse_debug",
  "task_params.skip_galaxy_install",
] as const;

/** Default parameters of a template's tasks, and which of them each task can override. */
export function AllowFields({ ui, form }: { ui: Ui; form: FormState }) {
  const field = (name: string) => {
    const key = name.replace("task_params.", "");
    return { ui, form, name, label: ui.t(`template_params.${key}`) };
  };
  return (
    <fieldset class="grid grid-cols-1 gap-3">
      <legend>{ui.t("template_params.title")}</legend>
      {PARAM_LISTS.map((name, n) => (
        <Field
          key={n}
          {...field(`task_params.${name}`)}
          maxLength={4000}
          autocomplete="off"
          hint={ui.t(`start_task.override_hint.${name}`)}
        />
      ))}
      <div class="grid grid-cols-1 gap-1">
        {SWITCHES.map((name, n) => <Checkbox key={n} {...field(name)} />)}
      </div>
    </fieldset>
  );
}
