import { listAliases } from "@/lib/triggers/aliases/service.ts";
import { signedIn, type State } from "@/lib/web/state.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { may } from "@/lib/web/shell.ts";
import { listKeys } from "@/lib/parts/keys/service.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import { listDeliveries } from "@/lib/triggers/webhooks/service.ts";
import type { IntegrationSort } from "@/lib/triggers/integrations/list.ts";
import type { IntegrationForm } from "@/lib/triggers/integrations/schema.ts";
import {
  extractValues,
  getIntegration,
  listIntegrations,
  matchers,
} from "@/lib/triggers/integrations/service.ts";

export { extractValuePages, matcherPages } from "./integration_parts.ts";

/** The project's integrations, sorted; and its addresses, for those who may see them. */
export async function loadIntegrations(
  state: State,
  origin: string,
  { sort, order }: IntegrationSort,
) {
  const { deps, shell, ui } = state;
  const actor = signedIn(state);
  const { id: projectId } = shell.project;
  const [integrations, templates, aliases] = await Promise.all([
    listIntegrations(deps, actor, projectId),
    listTemplates(deps, actor, projectId),
    may(shell, "manage_resources")
      ? listAliases(deps, actor, { projectId, integrationId: null }, origin)
      : [],
  ]);
  const { compare } = new Intl.Collator(ui.language, { numeric: true });
  const sign = order === "desc" ? -1 : 1;
  const nameOf = new Map(templates.map(({ id, name }) => [id, name]));
  const rows = integrations.map((row) => ({ ...row, template: nameOf.get(row.template_id) ?? "" }));
  return {
    aliases,
    integrations: rows.toSorted((a, b) =>
      sign * compare(a[sort], b[sort]) || compare(a.name, b.name)
    ),
  };
}

/** What an integration's form offers. */
export async function loadChoices(state: State) {
  const place = [state.deps, signedIn(state), state.shell.project.id] as const;
  const [templates, keys] = await Promise.all([listTemplates(...place), listKeys(...place)]);
  return { templates, keys: keys.filter(({ type }) => type === "login_password") };
}

/** Throws 400 for a secret that the form does not offer; the API takes any key, and lets nobody in. */
export async function requireOffered(state: State, { auth_secret_id }: IntegrationForm) {
  if (auth_secret_id === null) return;
  const { keys } = await loadChoices(state);
  if (keys.some(({ id }) => id === auth_secret_id)) return;
  throw invalidField("auth_secret_id", "errors.keys.password_key_needed");
}

/** An integration with all that belongs to it; its addresses and calls for those who may see them. */
export async function loadIntegration(state: State, integrationId: number, origin: string) {
  const { deps, shell } = state;
  const actor = signedIn(state);
  const { id: projectId } = shell.project;
  const place = [deps, actor, projectId, integrationId] as const;
  const integration = await getIntegration(...place);
  const isManager = may(shell, "manage_resources");
  const [choices, matcherList, values, aliases, deliveries] = await Promise.all([
    loadChoices(state),
    matchers.list(...place),
    extractValues.list(...place),
    isManager ? listAliases(deps, actor, { projectId, integrationId }, origin) : [],
    isManager ? listDeliveries(...place) : [],
  ]);
  return { integration, choices, matchers: matcherList, values, aliases, deliveries };
}
