import type { ProjectScope } from "../../access/scope.ts";
import type * as z from "zod";
import { conflict, notFound } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { parseWith } from "../../base/parse.ts";
import { nextId } from "../../store/ids.ts";
import { transact } from "../../store/transact.ts";
import { referencesTo } from "../../references/service.ts";
import { integrationEvent, integrationRows } from "./repository.ts";
import { getSeenIntegration } from "./seen.ts";
import type { IntegrationRow } from "./schema.ts";
import { fitsList, MATCHERS_MAX } from "./rule_schemas.ts";

type RuleList = "matchers" | "values";
type Rule<List extends RuleList> = IntegrationRow[List][number];
type Form<List extends RuleList> = Omit<Rule<List>, "id">;
type View<List extends RuleList> = Rule<List> & { integration_id: number };
/** Members of a rule that a client sends. The others stay. */
type Change = Record<string, string | null | undefined>;

/** A changed list, and the states of its changed rule. */
interface Edited<List extends RuleList> {
  rules: Rule<List>[];
  before?: Rule<List>;
  after?: Rule<List>;
}

type Manager = ProjectScope<"manage_triggers">;

/** Use cases of an integration's matchers, or of its extract values. */
export function ruleService<List extends RuleList>(
  list: List,
  object: "matcher" | "value",
  form: z.ZodType<Form<List>>,
) {
  const rulesOf = (row: IntegrationRow) => row[list] as Rule<List>[];
  const view = (rule: Rule<List>, integrationId: number): View<List> => ({
    ...rule,
    integration_id: integrationId,
  });

  async function edit(
    scope: Manager,
    integrationId: number,
    action: "added" | "updated" | "deleted",
    changed: (rules: Rule<List>[]) => Edited<List>,
  ): Promise<void> {
    const { deps, actor, projectId } = scope;
    await getSeenIntegration(scope, integrationId);
    await transact(deps.kv, async (op) => {
      let edited = { rules: [] } as Edited<List>;
      const row = await integrationRows.update(deps.kv, op, projectId, integrationId, (row) => {
        edited = changed(rulesOf(row));
        if (!fitsList(edited.rules)) throw conflict("errors.integration_too_large");
        return { ...row, [list]: edited.rules };
      });
      const { before = null, after = null } = edited;
      const params = { part: (after ?? before)?.name ?? "" };
      const event = { ...integrationEvent(row), action: `${object}_${action}`, params };
      await recordChange(op, deps, actor, event, { before, after });
    });
  }

  async function get(scope: ProjectScope, integrationId: number, id: number) {
    const row = await getSeenIntegration(scope, integrationId);
    const rule = find(rulesOf(row), id);
    return versioned(view(rule, integrationId), rule);
  }

  return {
    get,

    async list(scope: ProjectScope, integrationId: number): Promise<View<List>[]> {
      const row = await getSeenIntegration(scope, integrationId);
      return rulesOf(row).map((rule) => view(rule, integrationId));
    },

    /** Always empty, because nothing refers to a rule. */
    async references(scope: ProjectScope, integrationId: number, id: number) {
      await get(scope, integrationId, id);
      return await referencesTo(scope, ["integrations", integrationId]);
    },

    async create(
      scope: Manager,
      integrationId: number,
      form: Form<List>,
    ): Promise<View<List>> {
      const id = await nextId(scope.deps.kv, `integration_${list}`);
      const rule = { ...form, id } as Rule<List>;
      await edit(scope, integrationId, "added", (rules) => {
        if (rules.length >= MATCHERS_MAX) throw conflict("errors.list_full", { max: MATCHERS_MAX });
        return { rules: [...rules, rule], after: rule };
      });
      return view(rule, integrationId);
    },

    async update(
      scope: Manager,
      integrationId: number,
      id: number,
      change: Change,
      expected?: Expected,
    ): Promise<void> {
      const said = Object.entries(change).filter(([, value]) => (value ?? null) !== null);
      await edit(scope, integrationId, "updated", (rules) => {
        const before = find(rules, id);
        requireVersion(before, expected);
        const whole = parseWith(form, { ...before, ...Object.fromEntries(said) });
        const after = { ...whole, id } as Rule<List>;
        return { rules: rules.map((rule) => rule === before ? after : rule), before, after };
      });
    },

    async delete(scope: Manager, integrationId: number, id: number, expected?: Expected) {
      await edit(scope, integrationId, "deleted", (rules) => {
        const gone = find(rules, id);
        requireVersion(gone, expected);
        return { rules: rules.filter((rule) => rule !== gone), before: gone };
      });
    },
  };
}

function find<T extends { id: number }>(rules: T[], id: number): T {
  const rule = rules.find((rule) => rule.id === id);
  if (!rule) throw notFound();
  return rule;
}
