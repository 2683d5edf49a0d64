import * as z from "zod";
import { appFilter, isForAnsible, listFilter } from "../base/list_query.ts";
import type { TemplateView } from "./schema.ts";

/** Filters of a list of templates. */
export const templateFilter = z.object({
  type: listFilter(
    z.enum(["build", "deploy"]).describe("Only templates of this type"),
    "errors.invalid",
  ),
  app: appFilter,
});

/** Returns the templates that are asked for. All of them are the list itself, which is cached. */
export function templatesAskedFor(
  all: TemplateView[],
  { type, app }: z.output<typeof templateFilter>,
): TemplateView[] {
  if (!isForAnsible(app)) return [];
  return type ? all.filter((template) => template.type === type) : all;
}
