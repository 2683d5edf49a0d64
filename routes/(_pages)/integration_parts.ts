import type { Expected } from "@/lib/base/version.ts";
import { type ProjectScope, reopen, withPermission } from "@/lib/access/scope.ts";
import { page } from "fresh";
import type { z } from "zod";
import { define, type State } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import type { IntegrationView } from "@/lib/triggers/integrations/schema.ts";
import { extractValueForm, matcherForm } from "@/lib/triggers/integrations/part_schemas.ts";
import {
  extractValues,
  integrationService,
  matchers,
} from "@/lib/triggers/integrations/service.ts";

type Manager = ProjectScope<"manage_resources">;

/** Configuration of the pages of an integration's matchers or extract values. */
interface PartPages<Form> {
  list: "matchers" | "values";
  form: z.ZodType<Form>;
  /** Initial values of the form of a new part. */
  blank: object;
  service: {
    get(
      scope: ProjectScope,
      integrationId: number,
      id: number,
    ): Promise<{ id: number; name: string }>;
    create(scope: Manager, integrationId: number, form: Form): Promise<unknown>;
    update(
      scope: Manager,
      integrationId: number,
      id: number,
      form: Form,
      expected?: Expected,
    ): Promise<void>;
    delete(scope: Manager, integrationId: number, id: number): Promise<void>;
  };
}

/** Reads the integration and the part that the path names; the part is null for a new one. */
async function readPart<Form>(
  { scope }: State,
  params: Record<string, string>,
  { service }: PartPages<Form>,
) {
  withPermission(scope, "manage_resources");
  const integration = await integrationService.get(scope, pageId(params.integrationId));
  const part = params.partId === "new"
    ? null
    : await service.get(scope, integration.id, pageId(params.partId));
  return { integration, part };
}

/** Returns the form of the stored part, or of a new one with the values of `blank`. */
function partForm(part: object | null, blank: object) {
  const shown = part ? Object.entries(part).filter(([, value]) => value !== "") : [];
  // A header has no body type, so the default is preselected.
  return formOf(part, { ...blank, ...Object.fromEntries(shown) });
}

/** Creates the handlers of the pages of a list of parts. */
const partPages = <Form extends { name: string }>(pages: PartPages<Form>) => ({
  /** Form of a new part or of an existing one. */
  form: define.handlers({
    async GET({ state, params }) {
      const { integration, part } = await readPart(state, params, pages);
      return page({ integration, part, form: restoredForm(state) ?? partForm(part, pages.blank) });
    },

    async POST(ctx) {
      const { list, service, blank } = pages;
      const { integration, part } = await readPart(ctx.state, ctx.params, pages);
      const typed = withChoices(await readForm(ctx.req), partForm(part, blank));
      const form = await saveForm(parseValues(typed, pages.form), async (value) => {
        const scope = await reopen(ctx.state.scope, "manage_resources");
        if (part) await service.update(scope, integration.id, part.id, value, expectedOf(typed));
        else await service.create(scope, integration.id, value);
        return value;
      });
      if (!form.ok) {
        const readNow = async () =>
          partForm((await readPart(ctx.state, ctx.params, pages)).part, blank);
        const { form: shown, status } = await refusedForm(typed, form.errors, readNow);
        return page({ integration, part, form: shown }, { status });
      }
      const done = part ? `flash.${list}.saved` : `flash.${list}.created`;
      return seeOther(ctx, partsOf(integration, list), done, { name: form.result.name });
    },
  }),

  /** Asks for confirmation before a part is deleted, and deletes it. */
  delete: define.handlers({
    async GET({ state, params }) {
      const { integration, part } = await readPart(state, params, pages);
      if (!part) throw notFound();
      return page({ integration, part });
    },

    async POST(ctx) {
      const { list, service } = pages;
      const { integration, part } = await readPart(ctx.state, ctx.params, pages);
      if (!part) throw notFound();
      const scope = await reopen(ctx.state.scope, "manage_resources");
      await service.delete(scope, integration.id, part.id);
      const done = `flash.${list}.deleted`;
      return seeOther(ctx, partsOf(integration, list), done, { name: part.name });
    },
  }),
});

const partsOf = ({ project_id, id }: IntegrationView, list: string) =>
  `${paths.integration(project_id, id)}#${list}`;

export const matcherPages = partPages({
  list: "matchers",
  service: matchers,
  form: matcherForm,
  blank: { match_type: "body", body_data_type: "json", method: "equals" },
});

export const extractValuePages = partPages({
  list: "values",
  service: extractValues,
  form: extractValueForm,
  blank: { value_source: "body", body_data_type: "json", variable_type: "environment" },
});
