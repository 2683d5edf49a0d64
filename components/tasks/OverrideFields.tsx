import { Select } from "@/components/ui/forms/Choice.tsx";
import type { Option } from "@/components/ui/forms/found_options.ts";
import { Field } from "@/components/ui/forms/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { allowancesFor } from "@/lib/queue/inputs/overrides.ts";

interface OverrideFieldsProps {
  ui: Ui;
  form: FormState;
  template: TemplateView;
  inventories: readonly Option[];
  /** Branches and tags to suggest. */
  branches: string[];
  /** The permissions of the person for whom the task starts. */
  permissions: number;
}

/** Id of the list with these suggestions. */
const BRANCHES = "known-branches";

const OVERRIDES = [
  "limit",
  "tags",
  "skip_tags",
  "inventory_id",
  "git_branch",
  "skip_galaxy_install",
] as const;

/** Labels of the fields, for the list of errors. */
export const overrideLabels = (ui: Ui): Record<string, string> =>
  Object.fromEntries(
    [...OVERRIDES, "arguments"].map((name) => [name, ui.t(`start_task.override.${name}`)]),
  );

/**
 * Values that replace the template's for one task: a field for each that the template allows, and
 * for each that a repeated task had. Renders nothing if there is none.
 */
export function OverrideFields(
  { ui, form, template, inventories, branches, permissions }: OverrideFieldsProps,
) {
  const allowed = allowancesFor({ permissions }, template);
  const shown = OVERRIDES.filter((name) => allowed[name] || form.values[name]);
  if (shown.length === 0) return null;
  const isOpen = shown.some((name) => form.values[name] || name in form.errors);
  const own = template.task_params ?? {};
  const words = (name: "limit" | "tags" | "skip_tags") => own[name]?.join(",");
  const placeholders = {
    limit: words("limit"),
    tags: words("tags"),
    skip_tags: words("skip_tags"),
    git_branch: template.git_branch || undefined,
  };
  return (
    <details class="reveal" open={isOpen}>
      <summary class="text-accent">{ui.t("start_task.overrides")}</summary>
      <div class="grid grid-cols-1 gap-3 mt-3">
        {shown.map((name, n) => {
          const label = ui.t(`start_task.override.${name}`);
          const common = { ui, form, name, label };
          if (name === "inventory_id") {
            const blank = ui.t("start_task.templates_own");
            return <Select key={n} {...common} blank={blank} options={inventories} />;
          }
          if (name === "skip_galaxy_install") {
            const options = [
              { value: "false", label: ui.t("start_task.install") },
              { value: "true", label: ui.t("start_task.skip_galaxy_install") },
            ];
            const blank = ui.t("start_task.templates_own");
            return <Select key={n} {...common} blank={blank} options={options} />;
          }
          return (
            <Field
              key={n}
              {...common}
              autocomplete="off"
              // Style rules tell by the placeholder whether the field is filled in.
              placeholder={placeholders[name] ?? " "}
              list={name === "git_branch" ? BRANCHES : undefined}
              hint={ui.t(`start_task.override_hint.${name}`)}
            />
          );
        })}
      </div>
      {shown.includes("git_branch") && (
        <datalist id={BRANCHES}>
          {branches.map((name, n) => <option key={n} value={name} />)}
        </datalist>
      )}
    </details>
  );
}
