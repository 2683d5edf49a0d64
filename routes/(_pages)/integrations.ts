import { withPermission } from "@/lib/access/scope.ts";
import { listAliases } from "@/lib/triggers/aliases/service.ts";
import type { State } from "@/lib/web/state.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { chosenValue, targetChoices } from "@/lib/triggers/trigger_target.ts";
import { may } from "@/lib/web/shell.ts";
import { isPassword } from "@/lib/resources/keys/schema.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { listDeliveries } from "@/lib/triggers/webhooks/deliveries.ts";
import type { IntegrationForm } from "@/lib/triggers/integrations/schema.ts";
import {
  extractValues,
  integrationService,
  matchers,
} from "@/lib/triggers/integrations/service.ts";
import { loadTargets } from "./targets.ts";

/** Loads the project's integrations, and its webhook URLs if the user may see them. */
export async function loadIntegrations({ scope }: State, origin: string) {
  const [integrations, targets, aliases] = await Promise.all([
    integrationService.list(scope),
    loadTargets(scope),
    may(scope, "manage_resources") ? listAliases(scope, null, origin) : [],
  ]);
  const nameOf = new Map(targetChoices(targets).map(({ id, name }) => [id, name]));
  return {
    aliases,
    integrations: integrations.map((row) => ({
      ...row,
      target: nameOf.get(chosenValue(row) ?? 0) ?? "",
    })),
  };
}

/** Loads the choices of an integration's form. */
export async function loadChoices({ scope }: State) {
  const [targets, keys] = await Promise.all([loadTargets(scope), keyService.list(scope)]);
  return { ...targets, keys: keys.filter(isPassword) };
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
