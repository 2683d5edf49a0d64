import { withPermission } from "@/lib/access/scope.ts";
import { listAliases } from "@/lib/triggers/aliases/service.ts";
import type { State } from "@/lib/web/state.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { may } from "@/lib/web/shell.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import { listDeliveries } from "@/lib/triggers/webhooks/deliveries.ts";
import type { IntegrationForm } from "@/lib/triggers/integrations/schema.ts";
import {
  extractValues,
  integrationService,
  matchers,
} from "@/lib/triggers/integrations/service.ts";

/** Loads the project's integrations, and its webhook URLs if the user may see them. */
export async function loadIntegrations({ scope }: State, origin: string) {
  const [integrations, templates, aliases] = await Promise.all([
    integrationService.list(scope),
    listTemplates(scope),
    may(scope, "manage_resources") ? listAliases(scope, null, origin) : [],
  ]);
  const nameOf = new Map(templates.map(({ id, name }) => [id, name]));
  return {
    aliases,
    integrations: integrations.map((row) => ({
      ...row,
      template: nameOf.get(row.template_id) ?? "",
    })),
  };
}

/** Loads the choices of an integration's form. */
export async function loadChoices({ scope }: State) {
  const [templates, keys] = await Promise.all([listTemplates(scope), keyService.list(scope)]);
  return { templates, keys: keys.filter(({ type }) => type === "login_password") };
}

/**
 * Throws 400 for a secret that the form does not offer. The API accepts any key, but then denies
 * every call.
 */
export async function requireOffered(state: State, { auth_secret_id }: IntegrationForm) {
  if (auth_secret_id === null) return;
  const { keys } = await loadChoices(state);
  if (keys.some(({ id }) => id === auth_secret_id)) return;
  throw invalidField("auth_secret_id", "errors.keys.password_key_needed");
}

/** Loads an integration with its parts, and its webhook URLs and calls if the user may see them. */
export async function loadIntegration(state: State, integrationId: number, origin: string) {
  const { scope } = state;
  const integration = await integrationService.get(scope, integrationId);
  const manager = may(scope, "manage_resources") ? withPermission(scope, "manage_resources") : null;
  const [choices, matcherList, values, aliases, deliveries] = await Promise.all([
    loadChoices(state),
    matchers.list(scope, integrationId),
    extractValues.list(scope, integrationId),
    manager ? listAliases(manager, integrationId, origin) : [],
    manager ? listDeliveries(manager, integrationId) : [],
  ]);
  return { integration, choices, matchers: matcherList, values, aliases, deliveries };
}
