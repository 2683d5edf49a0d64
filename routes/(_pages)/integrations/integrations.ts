import { withPermission } from "@/lib/access/scope.ts";
import { listAliases } from "@/lib/triggers/aliases/service.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import type { State } from "@/lib/web/state.ts";
import { invalidField } from "@/lib/base/errors.ts";
import { chosenTarget } from "@/lib/triggers/trigger_target.ts";
import { findTemplate } from "@/lib/templates/service.ts";
import { nameTargets } from "@/lib/triggers/target_names.ts";
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
import { loadTargets } from "../schedules/targets.ts";

/** Loads the project's integrations, and its webhook URLs if the user may see them. */
export async function loadIntegrations({ scope }: State, origin: string) {
  const [integrations, aliases] = await Promise.all([
    integrationService.list(scope),
    may(scope, "manage_triggers") ? listAliases(scope, null, origin) : [],
  ]);
  const nameOf = await nameTargets(scope, integrations);
  return { aliases, integrations: integrations.map((row) => ({ ...row, target: nameOf(row) })) };
}

/** Keys that an integration's calls can authenticate with: those with a password. */
const offeredKeys = async ({ scope }: State) => (await keyService.list(scope)).filter(isPassword);

/** Loads the choices of an integration's form, and the template that is chosen in it. */
export async function loadChoices(state: State, { template_id }: FormValues) {
  const chosen = chosenTarget(template_id).template_id;
  const [targets, keys, template] = await Promise.all([
    loadTargets(state),
    offeredKeys(state),
    chosen === null ? null : findTemplate(state.scope, chosen),
  ]);
  return { ...targets, keys, template };
}

/**
 * Throws 400 for a secret that the form does not offer. The API accepts any key, but then denies
 * every call.
 */
export async function requireOffered(state: State, { auth_secret_id }: IntegrationForm) {
  if (auth_secret_id === null) return;
  const keys = await offeredKeys(state);
  if (keys.some(({ id }) => id === auth_secret_id)) return;
  throw invalidField("auth_secret_id", "errors.keys.password_key_needed");
}

/** Loads the parts of an integration, and its webhook URLs and calls if the user may see them. */
export async function loadParts(state: State, integrationId: number, origin: string) {
  const { scope } = state;
  const manager = may(scope, "manage_triggers") ? withPermission(scope, "manage_triggers") : null;
  const [matcherList, values, aliases, deliveries] = await Promise.all([
    matchers.list(scope, integrationId),
    extractValues.list(scope, integrationId),
    manager ? listAliases(manager, integrationId, origin) : [],
    manager ? listDeliveries(manager, integrationId) : [],
  ]);
  return { matchers: matcherList, values, aliases, deliveries };
}
