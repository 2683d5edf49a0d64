import { conflict } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import {
  type AliasRow,
  integrationForm,
  type IntegrationRow,
} from "../../triggers/integrations/schema.ts";
import {
  extractValueForm,
  fitsList,
  matcherForm,
  MATCHERS_MAX,
} from "../../triggers/integrations/rule_schemas.ts";
import { type BuildContext, type IdKind, startParamsOf, targetOf } from "./context.ts";
import { below, eachEntry } from "./entries.ts";
import type { ReadBackup } from "./schema.ts";

type IntegrationEntry = ReadBackup["integrations"][number];

/** Builds the integrations of a file with their rules, and the project's own addresses. */
export async function buildIntegrations(
  file: ReadBackup,
  context: BuildContext,
): Promise<{ integrations: IntegrationRow[]; aliases: AliasRow[] }> {
  const newId = counter(context);
  const aliasesOf = (texts: string[]) => texts.map((text) => ({ id: newId("aliases"), text }));
  const integrations = await eachEntry(
    context.failures,
    "integrations",
    file.integrations,
    ({ name }) => name ?? "",
    (entry) => {
      // Other servers leave such entries of an integration whose template was deleted.
      if (!entry.name && !entry.template && !entry.workflow) return [];
      return [{
        id: newId("integrations"),
        project_id: context.projectId,
        ...parseIntegration(entry, context),
        matchers: rulesOf("matchers", entry.matchers, (part) => ({
          id: newId("integration_matchers"),
          ...parseWith(matcherForm, part),
        })),
        values: rulesOf("extract_values", entry.extract_values, (part) => ({
          id: newId("integration_values"),
          ...parseWith(extractValueForm, part),
        })),
        aliases: aliasesOf(entry.aliases),
      }];
    },
  );
  return { integrations: integrations.flat(), aliases: aliasesOf(file.integration_aliases) };
}

/** Returns a function that gives the next id of a kind, in the order of the file. */
function counter({ idOf }: BuildContext) {
  const used = new Map<IdKind, number>();
  return (kind: IdKind) => {
    const at = used.get(kind) ?? 0;
    used.set(kind, at + 1);
    return idOf(kind, at);
  };
}

function parseIntegration(entry: IntegrationEntry, context: BuildContext) {
  const { refer } = context;
  const form = parseWith(integrationForm, {
    ...entry,
    ...targetOf(entry, context),
    auth_secret_id: refer("keys", "auth_secret", entry.auth_secret),
    task_params: startParamsOf(entry, refer),
  });
  return { ...form, if_waiting: form.if_waiting ?? "all" };
}

function rulesOf<Entry, Rule>(field: string, entries: Entry[], make: (entry: Entry) => Rule) {
  return below(field, () => {
    if (entries.length > MATCHERS_MAX) throw conflict("errors.list_full", { max: MATCHERS_MAX });
    const rules = entries.map((entry, at) => below(String(at), () => make(entry)));
    if (!fitsList(rules)) throw conflict("errors.integration_too_large");
    return rules;
  });
}
