import type { Operation } from "../../access/operation.ts";
import { alertFeedOperations } from "../../alerts/feed/operations.ts";
import { alertOperations } from "../../alerts/operations.ts";
import { projectAlertOperations, serverAlertOperations } from "../../alerts/set_up_operations.ts";
import {
  connectionTestOperations,
  storageTestOperations,
} from "../../connection_tests/operations.ts";
import { driftOperations } from "../../drift/operations.ts";
import { eventOperations } from "../../events/operations.ts";
import { hostOperations } from "../../hosts/operations.ts";
import { backupOperations } from "../../maintenance/backup/operations.ts";
import { maintenanceOperations } from "../../maintenance/mode/operations.ts";
import { projectOperations } from "../../maintenance/projects/operations.ts";
import { healthOperations } from "../../monitoring/health/operations.ts";
import { jobOperations } from "../../monitoring/jobs/operations.ts";
import { userOperations } from "../../people/accounts/operations.ts";
import { signInLinkOperations } from "../../people/sign_in_links/operations.ts";
import { userOptionOperations } from "../../people/options/operations.ts";
import { sessionOperations } from "../../people/sessions/operations.ts";
import { teamOperations } from "../../people/team/operations.ts";
import { projectRoleOperations, serverRoleOperations } from "../../people/roles/operations.ts";
import { tokenOperations } from "../../people/tokens/operations.ts";
import { projectTokenOperations } from "../../people/project_tokens/operations.ts";
import { previewOperations } from "../../previews/operations.ts";
import { runnerProtocolOperations } from "../../queue/remote/operations.ts";
import { environmentOperations } from "../../resources/environments/operations.ts";
import { gitCredentialOperations } from "../../resources/git_credentials/operations.ts";
import { inventoryOperations } from "../../resources/inventories/operations.ts";
import { keyOperations } from "../../resources/keys/operations.ts";
import { hostAuthorityOperations } from "../../resources/known_hosts/authority_operations.ts";
import { knownHostOperations } from "../../resources/known_hosts/operations.ts";
import { ownKeyOperations } from "../../resources/own_keys/operations.ts";
import { repositoryOperations } from "../../resources/repositories/operations.ts";
import { secretStorageOperations } from "../../resources/secret_storages/operations.ts";
import { toolchainOperations } from "../../resources/toolchains/operations.ts";
import { resultOperations } from "../../results/operations.ts";
import { rightsOperations } from "../../rights/operations.ts";
import { projectRunnerOperations, serverRunnerOperations } from "../../runners/operations.ts";
import { searchOperations } from "../../search/operations.ts";
import { taskIdentityOperations } from "../../task_identity/operations.ts";
import { viewOperations } from "../../templates/views/operations.ts";
import { aliasOperations } from "../../triggers/aliases/operations.ts";
import { checkOperations } from "../../triggers/checks/operations.ts";
import { integrationOperations } from "../../triggers/integrations/operations.ts";
import { scheduleOperations } from "../../triggers/schedules/operations.ts";
import { webhookOperations } from "../../triggers/webhooks/operations.ts";
import { workflowOperations } from "../../workflows/operations.ts";
import { workflowRunOperations } from "../../workflows/runs/operations.ts";
import type { AppDeps } from "../state.ts";
import { systemOperations } from "../system/operations.ts";
import { inviteOperations } from "./invite_operations.ts";
import { signInOperations, ssoOperations } from "./sign_in_operations.ts";
import { taskCommands } from "./task_command_operations.ts";
import { taskLogOperations } from "./task_log_operations.ts";
import { taskOperations } from "./task_operations.ts";
import { templateOperations } from "./template_operations.ts";

/** All operations of the API, in the order of its document. */
export const allOperations: Operation<AppDeps>[] = [
  signInOperations,
  sessionOperations,
  ssoOperations,
  systemOperations,
  healthOperations,
  taskIdentityOperations,
  maintenanceOperations,
  jobOperations,
  userOperations,
  serverRoleOperations,
  signInLinkOperations,
  tokenOperations,
  projectTokenOperations,
  userOptionOperations,
  ownKeyOperations,
  projectOperations,
  teamOperations,
  inviteOperations,
  rightsOperations,
  projectRoleOperations,
  templateOperations,
  taskOperations,
  taskLogOperations,
  taskCommands,
  previewOperations,
  resultOperations,
  hostOperations,
  driftOperations,
  checkOperations,
  workflowOperations,
  workflowRunOperations,
  scheduleOperations,
  viewOperations,
  inventoryOperations,
  environmentOperations,
  keyOperations,
  hostAuthorityOperations,
  secretStorageOperations,
  storageTestOperations,
  knownHostOperations,
  repositoryOperations,
  gitCredentialOperations,
  toolchainOperations,
  connectionTestOperations,
  integrationOperations,
  aliasOperations,
  webhookOperations,
  serverRunnerOperations,
  projectRunnerOperations,
  eventOperations,
  searchOperations,
  backupOperations,
  alertOperations,
  alertFeedOperations,
  projectAlertOperations,
  serverAlertOperations,
  runnerProtocolOperations,
].flat();
