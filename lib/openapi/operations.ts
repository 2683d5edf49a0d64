import { alertOperations } from "../alerts/operations.ts";
import { aliasOperations } from "../aliases/operations.ts";
import { backupOperations } from "../backup/operations.ts";
import { environmentOperations } from "../environments/operations.ts";
import { eventOperations } from "../events/operations.ts";
import { healthOperations } from "../health/operations.ts";
import type { Operation } from "../http/operation.ts";
import {
  extractValueOperations,
  integrationOperations,
  matcherOperations,
} from "../integrations/operations.ts";
import { inventoryOperations } from "../inventories/operations.ts";
import { keyOperations } from "../keys/operations.ts";
import { knownHostOperations } from "../known_hosts/operations.ts";
import { projectOperations } from "../projects/operations.ts";
import { repositoryOperations } from "../repositories/operations.ts";
import { scheduleOperations } from "../schedules/operations.ts";
import { sessionOperations } from "../sessions/operations.ts";
import { systemOperations } from "../system/operations.ts";
import { taskOperations } from "../tasks/operations.ts";
import { teamOperations } from "../team/operations.ts";
import { templateOperations } from "../templates/operations.ts";
import { tokenOperations } from "../tokens/operations.ts";
import { userOperations } from "../users/operations.ts";
import { viewOperations } from "../views/operations.ts";
import { webhookOperations } from "../webhooks/operations.ts";

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
