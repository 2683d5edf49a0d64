import * as z from "zod";
import { limitBytes } from "../base/fields.ts";
import { validateLimit, validateTags } from "../execution/ansible/results/fields.ts";

const words = z.array(z.string().min(1, "errors.required").max(500, "errors.too_long"))
  .max(200, "errors.too_long").nullish().transform((value) => value ?? undefined);
const may = z.boolean().nullish().transform((value) => value ?? undefined);

/** Default values of tasks, and the values that a task may override. Unknown members are stored. */
export const templateParams = z.looseObject({
  limit: words.superRefine(validateLimit),
  tags: words.superRefine(validateTags),
  skip_tags: words.superRefine(validateTags),
  allow_override_limit: may,
  allow_override_tags: may,
  allow_override_skip_tags: may,
  allow_override_inventory: may,
  allow_override_branch: may,
  /** Another name of `allow_override_branch`. */
  allow_override_git_branch: may,
  allow_debug: may,
  skip_galaxy_install: may,
  allow_override_skip_galaxy_install: may,
}).superRefine(limitBytes);

const list = z.array(z.string()).optional();
const allowed = z.boolean().optional();
export const templateParamsView = z.looseObject({
  limit: list,
  tags: list,
  skip_tags: list,
  allow_override_limit: allowed,
  allow_override_tags: allowed,
  allow_override_skip_tags: allowed,
  allow_override_inventory: allowed,
  allow_override_branch: allowed,
  allow_override_git_branch: allowed,
  allow_debug: allowed,
  skip_galaxy_install: allowed,
  allow_override_skip_galaxy_install: allowed,
});
export type TaskParams = z.output<typeof templateParamsView>;
