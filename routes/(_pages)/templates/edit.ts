import type { ProjectScope } from "@/lib/access/scope.ts";
import { versionOf } from "@/lib/base/version.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { storedForm } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm } from "@/lib/web/forms/form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { templateVersion } from "./save.ts";
import { loadTemplateSchedules } from "../schedules/schedules.ts";
import { templateFormObject } from "./form.ts";

interface Edited {
  /** Template to edit; null for a new one. */
  current: TemplateView | null;
  /** Template that a new one is copied from. */
  source: TemplateView | null;
}

/** Reads the templates that the URL names. */
export async function readTemplates(scope: ProjectScope, idText: string, url: URL) {
  const find = (id: number) => getTemplate(scope, id);
  const from = url.searchParams.get("from");
  const edited: Edited = {
    current: idText === "new" ? null : await find(pageId(idText)),
    source: idText === "new" && from !== null ? await find(pageId(from)) : null,
  };
  return edited;
}

/** Returns the form of the stored or copied template. It is blank if there is neither. */
export async function templateForm(
  scope: ProjectScope,
  { current, source }: Edited,
): Promise<FormState> {
  const shown = current ?? source;
  if (!shown) return newForm();
  const { schedules, isTyped, version } = await loadTemplateSchedules(scope, current?.id ?? null);
  const object = templateFormObject(shown, isTyped ? schedules[0] : undefined);
  return storedForm(object, templateVersion(versionOf(current), version));
}
