import { forbidden } from "@/lib/base/errors.ts";
import { versionOf } from "@/lib/base/version.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { storedForm } from "@/lib/web/forms/conflict.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { may } from "@/lib/web/shell.ts";
import type { State } from "@/lib/web/state.ts";
import { templateVersion } from "./save.ts";
import { loadTemplateSchedules } from "../schedules/schedules.ts";
import { templateFormObject } from "./form.ts";

export interface Edited {
  /** Template to edit; null for a new one. */
  current: TemplateView | null;
  /** Template that a new one is copied from. */
  source: TemplateView | null;
}

/** Reads the templates that the URL names. Throws 403 without the permission to change them. */
export async function readTemplates(state: State, idText: string, url: URL): Promise<Edited> {
  if (!may(state.shell, "manage_resources")) throw forbidden();
  const find = (id: number) => getTemplate(state.scope, id);
  const from = url.searchParams.get("from");
  return {
    current: idText === "new" ? null : await find(pageId(idText)),
    source: idText === "new" && from !== null ? await find(pageId(from)) : null,
  };
}

/** Returns the form of the stored template or of the copied one; null if there is neither. */
export async function templateForm(
  state: State,
  { current, source }: Edited,
): Promise<FormState | null> {
  const shown = current ?? source;
  if (!shown) return null;
  const { schedules, isTyped, version } = await loadTemplateSchedules(
    state.scope,
    current?.id ?? null,
  );
  const object = templateFormObject(shown, isTyped ? schedules[0] : undefined);
  return storedForm(object, templateVersion(versionOf(current), version));
}
