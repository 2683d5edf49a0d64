import type { Context } from "fresh";
import type { VNode } from "preact";
import type * as z from "zod";
import {
  ExtractValueFields,
  extractValueLabels,
  MatcherFields,
  matcherLabels,
} from "@/components/integrations/RuleFields.tsx";
import { RuleForm } from "@/components/integrations/RuleForm.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Expected } from "@/lib/base/version.ts";
import { extractValueForm, matcherForm } from "@/lib/triggers/integrations/rule_schemas.ts";
import {
  extractValues,
  integrationService,
  matchers,
} from "@/lib/triggers/integrations/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { type FormState, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import { confirmRoute } from "../confirm_page.tsx";

type Manager = ProjectScope<"manage_triggers">;

/** Configuration of the pages of an integration's matchers or extract values. */
interface RulePages<Form> {
  list: "matchers" | "values";
  form: z.ZodType<Form>;
  /** Initial values of the form of a new rule. */
  blank: object;
  labels(ui: Ui): Record<string, string>;
  Fields(props: { ui: Ui; form: FormState; isNew: boolean }): VNode;
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

/** Creates the pages of a list of rules. */
function rulePages<Form extends { name: string }>(
  { list, form, blank, labels, Fields, service }: RulePages<Form>,
) {
  const rights = asMember("manage_triggers");

  /** Reads the integration and the rule that the path names; the rule is null for a new one. */
  async function find(scope: ProjectScope, { params }: Context<State>) {
    const integration = await integrationService.get(scope, pageId(params.integrationId));
    const rule = params.ruleId === "new"
      ? null
      : await service.get(scope, integration.id, pageId(params.ruleId));
    return {
      integration,
      rule,
      back: `${paths.integration(scope.projectId, integration.id)}#${list}`,
    };
  }

  return {
    /** Form of a new rule or of an existing one. */
    form: routeOf(
      formPage({
        rights,
        find,
        shown({ rule }) {
          const stored = rule ? Object.entries(rule).filter(([, value]) => value !== "") : [];
          // A header has no body type, so the default is preselected.
          return formOf(rule, { ...blank, ...Object.fromEntries(stored) });
        },
        parse: (typed) => parseValues(typed, form),
        async save({ scope, value, found: { integration: { id }, rule }, expected }) {
          if (rule) await service.update(scope, id, rule.id, value, expected);
          else await service.create(scope, id, value);
        },
        next: ({ value: { name }, found: { rule, back } }) => [
          back,
          `flash.${list}.${rule ? "saved" : "created"}`,
          { name },
        ],
      }),
      ({ data, state: { ui, shell } }) => (
        <RuleForm ui={ui} shell={shell} list={list} labels={labels(ui)} {...data}>
          <Fields ui={ui} form={data.form} isNew={data.rule === null} />
        </RuleForm>
      ),
    ),

    /** Asks for confirmation before a rule is deleted. */
    delete: confirmRoute({
      rights,
      async find(scope, ctx) {
        const { rule, ...found } = await find(scope, ctx);
        if (!rule) throw notFound();
        return { rule, ...found };
      },
      ask: (ui, { rule: { name }, back }) => ({
        title: ui.t(`integration_rules.${list}.delete`),
        parts: [name],
        question: ui.t(`integration_rules.${list}.question`, { name }),
        cancel: back,
      }),
      act: (scope, { integration, rule }) => service.delete(scope, integration.id, rule.id),
      next: ({ rule: { name }, back }) => [back, `flash.${list}.deleted`, { name }],
    }),
  };
}

export const RULE_PAGES = {
  matchers: rulePages({
    list: "matchers",
    service: matchers,
    form: matcherForm,
    blank: { match_type: "body", body_data_type: "json", method: "equals" },
    labels: matcherLabels,
    Fields: MatcherFields,
  }),
  values: rulePages({
    list: "values",
    service: extractValues,
    form: extractValueForm,
    blank: { value_source: "body", body_data_type: "json", variable_type: "environment" },
    labels: extractValueLabels,
    Fields: ExtractValueFields,
  }),
};
