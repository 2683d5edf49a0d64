import { PARAM_LISTS } from "@/components/templates/RunSections.tsx";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { type TemplateForm, templateForm, type TemplateView } from "@/lib/templates/schema.ts";
import { mayChooseBranch } from "@/lib/queue/inputs/overrides.ts";

const LIST = /^(task_params\.(limit|tags|skip_tags)|auto_fix\.(hosts|tags))$/;

/** Returns a template's vaults, and the default and allowed values of its tasks, for its form. */
export function partsFormObject(template: TemplateView): object {
  const { vaults, task_params } = template;
  const lists = PARAM_LISTS.map((name) => [name, task_params?.[name]?.join(", ")]);
  return {
    vaults: vaults.map(({ vault_key_id, name }) => ({ vault_key_id, name })),
    task_params: { ...task_params, ...Object.fromEntries(lists) },
    allow_override_branch_in_task: mayChooseBranch(template),
    refuse_debug: task_params?.allow_debug === false,
  };
}

/** Splits texts with commas into the lists that the template's schema expects. */
export function unfoldLists(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => {
      if (!LIST.test(name)) return [[name, text]];
      const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "");
      // A text of commas alone is not an empty list, and the schema refuses it.
      if (words.length === 0 && text.trim() !== "") return [[`${name}.0`, text]];
      return words.map((word, n) => [`${name}.${n}`, word]);
    }),
  );
}

/** Moves errors of a list's item to the text that contains the whole list. */
export const foldListErrors = (errors: FormErrors): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field.replace(/^((?:task_params|auto_fix)\.\w+)\.\d+$/, "$1"),
      message,
    ]),
  );

/** Members of `task_params` with a field in the form, under every name that clients use. */
const SHOWN = [
  ...PARAM_LISTS,
  "allow_override_limit",
  "allow_override_tags",
  "allow_override_skip_tags",
  "allow_override_inventory",
  "allow_override_branch",
  "allow_override_git_branch",
  "allow_debug",
  "skip_galaxy_install",
  "allow_override_skip_galaxy_install",
];

/** Returns the `task_params` of the form. Members without a field keep their stored values. */
export function paramsOf(
  { task_params, allow_override_branch_in_task, refuse_debug }:
    & Pick<TemplateForm, "task_params" | "allow_override_branch_in_task">
    & { refuse_debug: boolean },
  current: TemplateView | null,
): TemplateForm["task_params"] {
  const kept = Object.entries(current?.task_params ?? {}).filter(([name]) => !SHOWN.includes(name));
  const said = Object.entries(task_params ?? {}).filter(([, value]) => value);
  const params = Object.fromEntries([...kept, ...said]);
  // Clients use several names for one permission. Those that read this one get it as well.
  if (allow_override_branch_in_task) params.allow_override_branch = true;
  if (refuse_debug) params.allow_debug = false;
  if (Object.keys(params).length === 0) return null;
  return templateForm.shape.task_params.parse(params);
}
