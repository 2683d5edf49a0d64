import type { Expected } from "@/lib/base/version.ts";
import { type ProjectScope, reopen, withPermission } from "@/lib/access/scope.ts";
import { page } from "fresh";
import type * as z from "zod";
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
import { extractValueForm, matcherForm } from "@/lib/triggers/integrations/rule_schemas.ts";
import {
  extractValues,
  integrationService,
  matchers,
} from "@/lib/triggers/integrations/service.ts";

type Manager = ProjectScope<"manage_resources">;

/** Configuration of the pages of an integration's matchers or extract values. */
interface RulePages<Form> {
  list: "matchers" | "values";
  form: z.ZodType<Form>;
  /** Initial values of the form of a new rule. */
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

/** Reads the integration and the rule that the path names; the rule is null for a new one. */
async function readRule<Form>(
  { scope }: State,
  params: Record<string, string>,
  { service }: RulePages<Form>,
) {
  withPermission(scope, "manage_resources");
  const integration = await integrationService.get(scope, pageId(params.integrationId));
  const rule = params.ruleId === "new"
    ? null
    : await service.get(scope, integration.id, pageId(params.ruleId));
  return { integration, rule };
}

/** Returns the form of the stored rule, or of a new one with the values of `blank`. */
function ruleForm(rule: object | null, blank: object) {
  const shown = rule ? Object.entries(rule).filter(([, value]) => value !== "") : [];
  // A header has no body type, so the default is preselected.
  return formOf(rule, { ...blank, ...Object.fromEntries(shown) });
}

/** Creates the handlers of the pages of a list of rules. */
const rulePages = <Form extends { name: string }>(pages: RulePages<Form>) => ({
  /** Form of a new rule or of an existing one. */
  form: define.handlers({
    async GET({ state, params }) {
      const { integration, rule } = await readRule(state, params, pages);
      return page({ integration, rule, form: restoredForm(state) ?? ruleForm(rule, pages.blank) });
    },

    async POST(ctx) {
      const { list, service, blank } = pages;
      const { integration, rule } = await readRule(ctx.state, ctx.params, pages);
      const typed = withChoices(await readForm(ctx.req), ruleForm(rule, blank));
      const form = await saveForm(parseValues(typed, pages.form), async (value) => {
        const scope = await reopen(ctx.state.scope, "manage_resources");
        if (rule) await service.update(scope, integration.id, rule.id, value, expectedOf(typed));
        else await service.create(scope, integration.id, value);
        return value;
      });
      if (!form.ok) {
        const readNow = async () =>
          ruleForm((await readRule(ctx.state, ctx.params, pages)).rule, blank);
        const { form: shown, status } = await refusedForm(typed, form.errors, readNow);
        return page({ integration, rule, form: shown }, { status });
      }
      const done = rule ? `flash.${list}.saved` : `flash.${list}.created`;
      return seeOther(ctx, rulesOf(integration, list), done, { name: form.result.name });
    },
  }),

  /** Asks for confirmation before a rule is deleted, and deletes it. */
  delete: define.handlers({
    async GET({ state, params }) {
      const { integration, rule } = await readRule(state, params, pages);
      if (!rule) throw notFound();
      return page({ integration, rule });
    },

    async POST(ctx) {
      const { list, service } = pages;
      const { integration, rule } = await readRule(ctx.state, ctx.params, pages);
      if (!rule) throw notFound();
      const scope = await reopen(ctx.state.scope, "manage_resources");
      await service.delete(scope, integration.id, rule.id);
      const done = `flash.${list}.deleted`;
      return seeOther(ctx, rulesOf(integration, list), done, { name: rule.name });
    },
  }),
});

const rulesOf = ({ project_id, id }: IntegrationView, list: string) =>
  `${paths.integration(project_id, id)}#${list}`;

export const matcherPages = rulePages({
  list: "matchers",
  service: matchers,
  form: matcherForm,
  blank: { match_type: "body", body_data_type: "json", method: "equals" },
});

export const extractValuePages = rulePages({
  list: "values",
  service: extractValues,
  form: extractValueForm,
  blank: { value_source: "body", body_data_type: "json", variable_type: "environment" },
});
