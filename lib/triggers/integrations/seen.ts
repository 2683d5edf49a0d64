import type { ProjectScope } from "../../access/scope.ts";
import { requireTriggerSeen } from "../seen_target.ts";
import { integrationRows } from "./repository.ts";
import type { IntegrationRow } from "./schema.ts";

/** Returns an integration. Throws 404 if there is none, or if the actor does not see its target. */
export async function getSeenIntegration(
  scope: ProjectScope,
  id: number,
): Promise<IntegrationRow> {
  const row = await integrationRows.get(scope.deps.kv, scope.projectId, id);
  await requireTriggerSeen(scope, row);
  return row;
}
