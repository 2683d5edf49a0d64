import { page } from "fresh";
import type { z } from "zod";
import type { Actor } from "@/lib/access/actor.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { define, signedIn, type State } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";
import { newForm, submitForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import {
  extractValueForm,
  type IntegrationView,
  matcherForm,
} from "@/lib/triggers/integrations/schema.ts";
import { extractValues, getIntegration, matchers } from "@/lib/triggers/integrations/service.ts";

type Place = [deps: Deps, actor: Actor, projectId: number, integrationId: number];

/** The pages of an integration's matchers, or of its extract values. */
interface PartPages<Form> {
  list: "matchers" | "values";
  form: z.ZodType<Form>;
  /** What the form of a new one shows. */
  blank: object;
  service: {
    get(...place: [...Place, id: number]): Promise<{ id: number; name: string }>;
    create(...place: [...Place, form: Form]): Promise<unknown>;
    update(...place: [...Place, id: number, form: Form]): Promise<void>;
    delete(...place: [...Place, id: number]): Promise<void>;
  };
}

/** The integration, and its part that the address names; null for a new one. */
async function readPart<Form>(
  state: State,
  params: Record<string, string>,
  { service }: PartPages<Form>,
) {
  requirePermission(state.shell, "manage_resources");
  const integrationId = pageId(params.integrationId);
  const place: Place = [state.deps, signedIn(state), state.shell.project.id, integrationId];
  const integration = await getIntegration(...place);
  const part = params.partId === "new" ? null : await service.get(...place, pageId(params.partId));
  return { place, integration, part };
}

/** How the pages of a list of parts answer. */
const partPages = <Form extends { name: string }>(pages: PartPages<Form>) => ({
  /** The form of a new part, or of one that is changed. */
  form: define.handlers({
    async GET({ state, params }) {
      const { integration, part } = await readPart(state, params, pages);
      const shown = part ? Object.entries(part).filter(([, value]) => value !== "") : [];
      // A header has no type of body: the usual one stands ready.
      const form = newForm({ ...pages.blank, ...Object.fromEntries(shown) });
      return page({ integration, part, form });
    },

    async POST(ctx) {
      const { list, service } = pages;
      const { place, integration, part } = await readPart(ctx.state, ctx.params, pages);
      const form = await submitForm(ctx.req, pages.form, async (value) => {
        if (part) await service.update(...place, part.id, value);
        else await service.create(...place, value);
        return value;
      });
      if (!form.ok) return page({ integration, part, form }, { status: 422 });
      const done = part ? `flash.${list}.saved` : `flash.${list}.created`;
      return seeOther(ctx, partsOf(integration, list), done, { name: form.result.name });
    },
  }),

  /** Asks before a part is deleted; and deletes it. */
  delete: define.handlers({
    async GET({ state, params }) {
      const { integration, part } = await readPart(state, params, pages);
      if (!part) throw notFound();
      return page({ integration, part });
    },

    async POST(ctx) {
      const { list, service } = pages;
      const { place, integration, part } = await readPart(ctx.state, ctx.params, pages);
      if (!part) throw notFound();
      await service.delete(...place, part.id);
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
