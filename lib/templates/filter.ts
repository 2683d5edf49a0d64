import * as z from "zod";
import { appFilter, isForAnsible, listFilter } from "../base/lists/list_query.ts";
import type { TemplateType } from "../model/template_row.ts";

/** Filters of a list of templates. */
export const templateFilter = z.object({
  type: listFilter(
    z.enum(["build", "deploy"]).describe("Only templates of this type"),
    "errors.invalid",
  ),
  app: appFilter,
});

export type TemplateFilter = z.output<typeof templateFilter>;

/** Returns the templates that are asked for. All of them are the list itself, which is cached. */
export function templatesAskedFor<Template extends { type: TemplateType }>(
  all: Template[],
  { type, app }: TemplateFilter,
): Template[] {
  if (!isForAnsible(app)) return [];
  return type ? all.filter((template) => template.type === type) : all;
}
