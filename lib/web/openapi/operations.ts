import { alertOperations } from "../../telling/alerts/operations.ts";
import { aliasOperations } from "../../triggers/aliases/operations.ts";
import { backupOperations } from "../../upkeep/backup/operations.ts";
import { environmentOperations } from "../../parts/environments/operations.ts";
import { eventOperations } from "../../events/operations.ts";
import { healthOperations } from "../../telling/health/operations.ts";
import type { Operation } from "../../access/operation.ts";
import {
  extractValueOperations,
  integrationOperations,
  matcherOperations,
} from "../../triggers/integrations/operations.ts";
import { inventoryOperations } from "../../parts/inventories/operations.ts";
import { keyOperations } from "../../parts/keys/operations.ts";
import { knownHostOperations } from "../../parts/known_hosts/operations.ts";
import { projectOperations } from "../../upkeep/projects/operations.ts";
import { repositoryOperations } from "../../parts/repositories/operations.ts";
import { scheduleOperations } from "../../triggers/schedules/operations.ts";
import { sessionOperations } from "../../people/sessions/operations.ts";
import { systemOperations } from "../system/operations.ts";
import { taskOperations } from "../../tasks/operations.ts";
import { teamOperations } from "../../people/team/operations.ts";
import { templateOperations } from "../../templates/operations.ts";
import { tokenOperations } from "../../people/tokens/operations.ts";
import { userOperations } from "../../people/users/operations.ts";
import { viewOperations } from "../../templates/views/operations.ts";
import { webhookOperations } from "../../triggers/webhooks/operations.ts";

/** Every operation of the API, noun by noun. A test compares it with the routes. */
export const allOperations: Operation[] = [
  sessionOperations,
  systemOperations,
  healthOperations,
  userOperations,
  tokenOperations,
  projectOperations,
  teamOperations,
  templateOperations,
  taskOperations,
  scheduleOperations,
  viewOperations,
  inventoryOperations,
  environmentOperations,
  keyOperations,
  knownHostOperations,
  repositoryOperations,
  integrationOperations,
  extractValueOperations,
  matcherOperations,
  aliasOperations,
  webhookOperations,
  eventOperations,
  backupOperations,
  alertOperations,
].flatMap((operations) => Object.values(operations) as unknown as Operation[]);
