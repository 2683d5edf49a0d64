import assert from "node:assert/strict";
import type { Operation } from "@/lib/access/operation.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/**
 * Status of each operation for each person, in columns: Alice (owner), Mike (manager), Bob (task
 * runner), Carol (guest), Dave (outside of the project), Erin (global admin), and no one.
 */
const COLUMNS = ["alice", "mike", "bob", "carol", "dave", "erin", null] as const;

const TABLE: Record<string, string> = {
  getSignInOptions: "         200 200 200 200 200 200 200",
  signIn: "                   204 204 204 204 204 204 204",
  signOut: "                  204 204 204 204 204 204 204",
  startProviderSignIn: "      303 303 303 303 303 303 303",
  finishProviderSignIn: "     303 303 303 303 303 303 303",
  // The good call's token is not signed.
  endSessionsByProvider: "    400 400 400 400 400 400 400",
  ping: "                     200 200 200 200 200 200 200",
  checkHealth: "              200 200 200 200 200 200 200",
  listChecks: "               403 403 403 403 403 200 401",
  runChecks: "                403 403 403 403 403 200 401",
  getInfo: "                  200 200 200 200 200 200 401",
  listApps: "                 200 200 200 200 200 200 401",
  getApp: "                   200 200 200 200 200 200 401",
  getTaskIdentity: "         403 403 403 403 403 200 401",
  revokeIdentityKeys: "      403 403 403 403 403 204 401",
  getMaintenance: "          200 200 200 200 200 200 401",
  // Planned, so that the other calls go on.
  setMaintenance: "          403 403 403 403 403 204 401",
  endMaintenance: "          403 403 403 403 403 204 401",
  listJobs: "                403 403 403 403 403 200 401",
  listSetAsideJobs: "        403 403 403 403 403 200 401",
  retryJob: "                403 403 403 403 403 204 401",
  discardJob: "              403 403 403 403 403 204 401",
  listOptions: "              403 403 403 403 403 200 401",
  // Callers that are no runner.
  pollForRuns: "              401 401 401 401 401 401 401",
  answerCheck: "              401 401 401 401 401 401 401",
  // Callers that do not say which protocol they speak.
  registerRunner: "           426 426 426 426 426 426 426",
  reportRun: "                426 426 426 426 426 426 426",
  rotateRunnerToken: "        426 426 426 426 426 426 426",
  listRunners: "             403 403 403 403 403 200 401",
  listAllRunnerTags: "       403 403 403 403 403 200 401",
  createRunner: "            403 403 403 403 403 201 401",
  getRunner: "               403 403 403 403 403 200 401",
  updateRunner: "            403 403 403 403 403 204 401",
  deleteRunner: "            403 403 403 403 403 204 401",
  setRunnerActive: "         403 403 403 403 403 204 401",
  setRunnerState: "          403 403 403 403 403 204 401",
  createRunnerRegistrationToken: "403 403 403 403 403 200 401",
  revokeRunner: "            403 403 403 403 403 204 401",
  clearRunnerCache: "        403 403 403 403 403 204 401",
  listRunnerTokens: "        403 403 403 403 403 200 401",
  createRunnerToken: "       403 403 403 403 403 201 401",
  deleteRunnerToken: "       403 403 403 403 403 204 401",
  listProjectRunners: "      200 200 200 200 404 200 401",
  listRunnerTags: "          200 200 200 200 404 200 401",
  getProjectRunner: "        200 200 200 200 404 200 401",
  createProjectRunner: "     201 201 403 403 404 201 401",
  updateProjectRunner: "     204 204 403 403 404 204 401",
  deleteProjectRunner: "     204 204 403 403 404 204 401",
  setProjectRunnerActive: "  204 204 403 403 404 204 401",
  setProjectRunnerState: "   204 204 403 403 404 204 401",
  createProjectRunnerRegistrationToken: "200 200 403 403 404 200 401",
  revokeProjectRunner: "     204 204 403 403 404 204 401",
  clearProjectRunnerCache: " 204 204 403 403 404 204 401",
  listProjectRunnerTokens: " 200 200 403 403 404 200 401",
  createProjectRunnerToken: "201 201 403 403 404 201 401",
  deleteProjectRunnerToken: "204 204 403 403 404 204 401",

  getAlertFeed: "             200 200 403 403 404 200 401",
  createAlertFeed: "          201 201 403 403 404 201 401",
  deleteAlertFeed: "          204 204 403 403 404 204 401",
  readAlertFeed: "            200 200 200 200 200 200 200",
  listProjectAlertTargets: "200 200 403 403 404 200 401",
  createProjectAlertTarget: "201 201 403 403 404 201 401",
  getProjectAlertTarget: "200 200 403 403 404 200 401",
  updateProjectAlertTarget: "204 204 403 403 404 204 401",
  deleteProjectAlertTarget: "204 204 403 403 404 204 401",
  testProjectAlertTarget: "200 200 403 403 404 200 401",
  resumeProjectAlertTarget: "204 204 403 403 404 204 401",
  listProjectAlertDeliveries: "200 200 403 403 404 200 401",
  listProjectAlertRules: "200 200 403 403 404 200 401",
  createProjectAlertRule: "201 201 403 403 404 201 401",
  getProjectAlertRule: "200 200 403 403 404 200 401",
  updateProjectAlertRule: "204 204 403 403 404 204 401",
  deleteProjectAlertRule: "204 204 403 403 404 204 401",
  listServerAlertTargets: "403 403 403 403 403 200 401",
  createServerAlertTarget: "403 403 403 403 403 201 401",
  getServerAlertTarget: "403 403 403 403 403 200 401",
  updateServerAlertTarget: "403 403 403 403 403 204 401",
  deleteServerAlertTarget: "403 403 403 403 403 204 401",
  testServerAlertTarget: "403 403 403 403 403 200 401",
  resumeServerAlertTarget: "403 403 403 403 403 204 401",
  listServerAlertDeliveries: "403 403 403 403 403 200 401",
  listServerAlertRules: "403 403 403 403 403 200 401",
  createServerAlertRule: "403 403 403 403 403 201 401",
  getServerAlertRule: "403 403 403 403 403 200 401",
  updateServerAlertRule: "403 403 403 403 403 204 401",
  deleteServerAlertRule: "403 403 403 403 403 204 401",

  getCurrentUser: "           200 200 200 200 200 200 401",
  listUsers: "                200 200 200 200 200 200 401",
  createUser: "               403 403 403 403 403 201 401",
  getUser: "                  403 403 403 403 403 200 401",
  updateUser: "               403 403 403 403 403 204 401",
  deleteUser: "               403 403 403 403 403 204 401",
  changePassword: "           403 403 403 403 403 204 401",
  listSignInLinks: "          403 403 403 403 403 200 401",
  createSignInLink: "         403 403 403 403 403 201 401",
  withdrawSignInLinks: "      403 403 403 403 403 204 401",
  listUserOptions: "          200 200 200 200 200 200 401",
  setUserOption: "            200 200 200 200 200 200 401",
  listTokens: "               200 200 200 200 200 200 401",
  createToken: "              201 201 201 201 201 201 401",
  listProjectTokens: "        200 403 403 403 404 200 401",
  createProjectToken: "       201 403 403 403 404 201 401",
  keepProjectToken: "         204 403 403 403 404 204 401",
  deleteProjectToken: "       204 403 403 403 404 204 401",
  updateToken: "              204 204 204 204 204 204 401",
  deleteToken: "              204 204 204 204 204 204 401",

  listOwnKeys: "              200 200 200 200 200 200 401",
  createOwnKey: "             201 201 201 201 201 201 401",
  getOwnKey: "                200 200 200 200 200 200 401",
  updateOwnKey: "             204 204 204 204 204 204 401",
  deleteOwnKey: "             204 204 204 204 204 204 401",

  listOwnSessions: "          200 200 200 200 200 200 401",
  endOwnOtherSessions: "      204 204 204 204 204 204 401",
  endOwnSession: "            204 204 204 204 204 204 401",
  // Sessions of another person's account.
  listSessions: "             403 403 403 403 403 200 401",
  endSessions: "              403 403 403 403 403 204 401",
  endSession: "               403 403 403 403 403 204 401",
  listUserTokens: "           403 403 403 403 403 200 401",
  deleteUserTokens: "         403 403 403 403 403 204 401",
  deleteUserToken: "          403 403 403 403 403 204 401",

  listProjects: "             200 200 200 200 200 200 401",
  createProject: "            403 403 403 403 403 201 401",
  getProject: "               200 200 200 200 404 200 401",
  updateProject: "            204 403 403 403 404 204 401",
  deleteProject: "            204 403 403 403 404 204 401",
  clearProjectCache: "        204 204 403 403 404 204 401",
  getProjectRole: "           200 200 200 200 404 200 401",

  listAccess: "               200 200 200 200 404 200 401",
  listMembers: "              200 200 200 200 404 200 401",
  addMember: "                204 403 403 403 404 204 401",
  getMember: "                200 200 200 200 404 200 401",
  addMemberById: "            204 403 403 403 404 204 401",
  changeMemberRole: "         204 403 403 403 404 204 401",
  deleteMember: "             204 403 403 403 404 204 401",
  listInvites: "              200 403 403 403 404 200 401",
  createInvite: "             201 403 403 403 404 201 401",
  getInvite: "                200 403 403 403 404 200 401",
  updateInvite: "             204 403 403 403 404 204 401",
  deleteInvite: "           204 403 403 403 404 204 401",
  // To a project in which the caller is no member.
  acceptInvite: "             200 200 200 200 200 200 401",
  // Owners cannot leave, and Erin is not a member.
  listRoles: "                200 200 200 200 404 200 401",
  listAllRoles: "             200 200 200 200 404 200 401",
  createRole: "               201 403 403 403 404 201 401",
  getRole: "                  200 200 200 200 404 200 401",
  updateRole: "               204 403 403 403 404 204 401",
  deleteRole: "               204 403 403 403 404 204 401",
  listServerRoles: "          403 403 403 403 403 200 401",
  createServerRole: "         403 403 403 403 403 201 401",
  getServerRole: "            403 403 403 403 403 200 401",
  updateServerRole: "         403 403 403 403 403 204 401",
  deleteServerRole: "         403 403 403 403 403 204 401",
  leaveProject: "             400 204 204 204 404 404 401",

  listTemplates: "            200 200 200 200 404 200 401",
  listChoices: "              200 200 200 403 404 200 401",
  createTemplate: "           201 201 403 403 404 201 401",
  getTemplate: "              200 200 200 200 404 200 401",
  setTemplateDescription: "   204 204 403 403 404 204 401",
  updateTemplate: "           204 204 403 403 404 204 401",
  deleteTemplate: "           204 204 403 403 404 204 401",
  getTemplateReferences: "    200 200 200 200 404 200 401",

  listQueue: "                403 403 403 403 403 200 401",
  stopQueuedTask: "           403 403 403 403 403 204 401",
  listTasks: "                200 200 200 200 404 200 401",
  listLastTasks: "            200 200 200 200 404 200 401",
  listTemplateTasks: "        200 200 200 200 404 200 401",
  listLastTemplateTasks: "    200 200 200 200 404 200 401",
  getProjectStats: "          200 200 200 200 404 200 401",
  getTemplateStats: "         200 200 200 200 404 200 401",
  startTask: "                201 201 201 403 404 201 401",
  getTask: "                  200 200 200 200 404 200 401",
  deleteTask: "               403 403 403 403 404 204 401",
  listTaskStages: "           200 200 200 200 404 200 401",
  getTaskWait: "              200 200 200 200 404 200 401",
  getTaskOutput: "            200 200 200 200 404 200 401",
  getTaskRawOutput: "         200 200 200 200 404 200 401",
  listTaskOutputs: "          200 200 200 200 404 200 401",
  searchTaskOutput: "         200 200 200 200 404 200 401",
  listTaskHosts: "            200 200 200 200 404 200 401",
  getTaskPreview: "           200 200 200 200 404 200 401",
  listTaskPlays: "            200 200 200 200 404 200 401",
  listTaskAnsibleHosts: "     200 200 200 200 404 200 401",
  listTaskAnsibleErrors: "    200 200 200 200 404 200 401",
  listTaskResults: "          200 200 200 200 404 200 401",
  getTaskResultsSummary: "    200 200 200 200 404 200 401",
  getTaskResult: "            200 200 200 200 404 200 401",
  searchTemplateRuns: "       200 200 200 200 404 200 401",
  getTaskSections: "          200 200 200 200 404 200 401",
  listProjectHosts: "         200 200 200 200 404 200 401",
  listHostRuns: "             200 200 200 200 404 200 401",
  getHostFacts: "             200 200 200 200 404 200 401",
  forgetHost: "               204 204 403 403 404 204 401",
  listDrift: "                200 200 200 200 404 200 401",
  getDriftStats: "            200 200 200 200 404 200 401",
  exportDrift: "              200 200 200 200 404 200 401",
  checkTemplate: "            201 201 201 403 404 201 401",
  fixDrift: "                 201 201 201 403 404 201 401",
  acceptDrift: "              204 204 204 403 404 204 401",
  unacceptDrift: "            204 204 204 403 404 204 401",
  forgetDrift: "              204 204 403 403 404 204 401",
  streamTask: "               200 200 200 200 404 200 401",
  retryTask: "                201 201 201 403 404 201 401",
  listTaskApprovals: "        200 200 200 200 404 200 401",
  // The rule of the task lets everyone vote who may run tasks.
  confirmTask: "              204 204 204 403 404 204 401",
  rejectTask: "               204 204 204 403 404 204 401",
  stopTask: "                 204 204 204 403 404 204 401",
  stopAllTemplateTasks: "     204 204 204 403 404 204 401",

  listWorkflows: "            200 200 200 200 404 200 401",
  createWorkflow: "           201 201 403 403 404 201 401",
  getWorkflow: "              200 200 200 200 404 200 401",
  updateWorkflow: "           204 204 403 403 404 204 401",
  deleteWorkflow: "           204 204 403 403 404 204 401",
  getWorkflowReferences: "    200 200 200 200 404 200 401",
  startWorkflow: "            201 201 201 403 404 201 401",
  listWorkflowRuns: "         200 200 200 200 404 200 401",
  getWorkflowStats: "         200 200 200 200 404 200 401",
  getWorkflowRunComparison: " 200 200 200 200 404 200 401",
  listProjectWorkflowRuns: "  200 200 200 200 404 200 401",
  getWorkflowRun: "           200 200 200 200 404 200 401",
  stopWorkflowRun: "          204 204 204 403 404 204 401",
  repeatWorkflowRun: "        201 201 201 403 404 201 401",
  getWorkflowRunArtifacts: "  200 200 200 200 404 200 401",
  listWorkflowRunApprovals: " 200 200 200 200 404 200 401",
  // The rule of the step lets everyone vote who may run tasks.
  voteOnWorkflowRun: "        200 200 200 403 404 200 401",

  listSchedules: "            200 200 200 200 404 200 401",
  listTemplateSchedules: "    200 200 200 200 404 200 401",
  createSchedule: "           201 201 403 403 404 201 401",
  validateCron: "             200 200 403 403 404 200 401",
  getSchedule: "              200 200 200 200 404 200 401",
  updateSchedule: "           204 204 403 403 404 204 401",
  setScheduleActive: "        204 204 403 403 404 204 401",
  deleteSchedule: "           204 204 403 403 404 204 401",

  listViews: "                200 200 200 200 404 200 401",
  createView: "               201 201 403 403 404 201 401",
  getView: "                  200 200 200 200 404 200 401",
  updateView: "               204 204 403 403 404 204 401",
  deleteView: "               204 204 403 403 404 204 401",
  moveViews: "                204 204 403 403 404 204 401",
  listViewTemplates: "        200 200 200 200 404 200 401",

  listServerToolchains: "     403 403 403 403 403 200 401",
  createServerToolchain: "    403 403 403 403 403 201 401",
  getServerToolchain: "       403 403 403 403 403 200 401",
  updateServerToolchain: "    403 403 403 403 403 204 401",
  deleteServerToolchain: "    403 403 403 403 403 204 401",
  getServerToolchainBuild: "  403 403 403 403 403 200 401",
  buildServerToolchain: "     403 403 403 403 403 204 401",
  getToolchainBuild: "        200 200 200 200 404 200 401",
  buildToolchain: "           204 204 403 403 404 204 401",
  listToolchains: "           200 200 200 200 404 200 401",
  createToolchain: "          201 201 403 403 404 201 401",
  getToolchain: "             200 200 200 200 404 200 401",
  updateToolchain: "          204 204 403 403 404 204 401",
  deleteToolchain: "          204 204 403 403 404 204 401",
  getToolchainReferences: "   200 200 200 200 404 200 401",
  listInventories: "          200 200 200 200 404 200 401",
  createInventory: "          201 201 403 403 404 201 401",
  getInventory: "             200 200 200 200 404 200 401",
  updateInventory: "          204 204 403 403 404 204 401",
  deleteInventory: "          204 204 403 403 404 204 401",
  getInventoryReferences: "   200 200 200 200 404 200 401",
  listInventoryHosts: "       200 200 403 403 404 200 401",

  listEnvironments: "         200 200 200 200 404 200 401",
  createEnvironment: "        201 201 403 403 404 201 401",
  getEnvironment: "           200 200 200 200 404 200 401",
  updateEnvironment: "        204 204 403 403 404 204 401",
  deleteEnvironment: "        204 204 403 403 404 204 401",
  getEnvironmentReferences: " 200 200 200 200 404 200 401",

  listKeys: "                 200 200 200 200 404 200 401",
  createKey: "                201 201 403 403 404 201 401",
  getKey: "                   200 200 200 200 404 200 401",
  updateKey: "                204 204 403 403 404 204 401",
  deleteKey: "                204 204 403 403 404 204 401",
  getKeyReferences: "         200 200 200 200 404 200 401",

  listHostAuthorities: "      200 200 200 200 404 200 401",
  createHostAuthority: "      201 201 403 403 404 201 401",
  deleteHostAuthority: "      204 204 403 403 404 204 401",
  listGitCredentials: "       200 200 200 200 404 200 401",
  createGitCredential: "      201 201 403 403 404 201 401",
  getGitCredential: "         200 200 200 200 404 200 401",
  updateGitCredential: "      204 204 403 403 404 204 401",
  deleteGitCredential: "      204 204 403 403 404 204 401",
  listSecretStorages: "       200 200 200 200 404 200 401",
  createSecretStorage: "      201 201 403 403 404 201 401",
  getSecretStorage: "         200 200 200 200 404 200 401",
  updateSecretStorage: "      204 204 403 403 404 204 401",
  deleteSecretStorage: "      204 204 403 403 404 204 401",
  getSecretStorageReferences: "200 200 200 200 404 200 401",
  testSecretStorage: "        200 200 403 403 404 200 401",

  listKnownHosts: "           200 200 200 200 404 200 401",
  forgetKnownHost: "          204 204 403 403 404 204 401",

  listRepositories: "         200 200 200 200 404 200 401",
  createRepository: "         201 201 403 403 404 201 401",
  getRepository: "            200 200 200 200 404 200 401",
  updateRepository: "         204 204 403 403 404 204 401",
  deleteRepository: "         204 204 403 403 404 204 401",
  renewRequirements: "        204 204 403 403 404 204 401",
  getRepositoryReferences: "  200 200 200 200 404 200 401",
  listBranches: "             200 200 403 403 404 200 401",
  listPlaybooks: "            200 200 403 403 404 200 401",

  listIntegrations: "         200 200 200 200 404 200 401",
  createIntegration: "        201 201 403 403 404 201 401",
  getIntegration: "           200 200 200 200 404 200 401",
  updateIntegration: "        204 204 403 403 404 204 401",
  deleteIntegration: "        204 204 403 403 404 204 401",
  getIntegrationReferences: " 200 200 200 200 404 200 401",
  listExtractValues: "        200 200 200 200 404 200 401",
  createExtractValue: "       201 201 403 403 404 201 401",
  getExtractValue: "          200 200 200 200 404 200 401",
  updateExtractValue: "       204 204 403 403 404 204 401",
  deleteExtractValue: "       204 204 403 403 404 204 401",
  getExtractValueReferences: "200 200 200 200 404 200 401",
  listMatchers: "             200 200 200 200 404 200 401",
  createMatcher: "            200 200 403 403 404 200 401",
  getMatcher: "               200 200 200 200 404 200 401",
  updateMatcher: "            204 204 403 403 404 204 401",
  deleteMatcher: "            204 204 403 403 404 204 401",
  getMatcherReferences: "     200 200 200 200 404 200 401",
  // Anyone who knows an address may call it, so reading addresses requires the right to create
  // them.
  listProjectAliases: "       200 200 200 200 404 200 401",
  createProjectAlias: "       200 200 403 403 404 200 401",
  deleteProjectAlias: "       204 204 403 403 404 204 401",
  listIntegrationAliases: "   200 200 200 200 404 200 401",
  createIntegrationAlias: "   200 200 403 403 404 200 401",
  deleteIntegrationAlias: "   204 204 403 403 404 204 401",
  callWebhook: "              200 200 200 200 200 200 200",
  callWebhookByGet: "         200 200 200 200 200 200 200",
  listDeliveries: "           200 200 403 403 404 200 401",
  getDelivery: "              200 200 403 403 404 200 401",

  listOwnEvents: "            200 200 200 200 200 200 401",
  exportOwnEventsAsCsv: "     200 200 200 200 200 200 401",
  exportOwnEventsAsJsonLines: "200 200 200 200 200 200 401",
  exportEventsAsCsv: "        200 200 200 200 404 200 401",
  exportEventsAsJsonLines: "  200 200 200 200 404 200 401",
  listOwnLastEvents: "        200 200 200 200 200 200 401",
  listEvents: "               200 200 200 200 404 200 401",
  listLastEvents: "           200 200 200 200 404 200 401",

  searchProject: "            200 200 200 200 404 200 401",

  backUpProject: "            200 403 403 403 404 200 401",
  restoreProject: "           403 403 403 403 403 200 401",

  // People with the right learn that this world has no channel.
  testAlerts: "               200 403 403 403 404 200 401",
  testNotifications: "        200 403 403 403 404 200 401",
};

/** The same for operations on the caller's own account. */
const OWN_ACCOUNT: Record<string, string> = {
  getUser: "                  200 200 200 200 200 200",
  updateUser: "               204 204 204 204 204 204",
  changePassword: "           204 204 204 204 204 204",
  listSessions: "             200 200 200 200 200 200",
  endSessions: "              204 204 204 204 204 204",
  listSignInLinks: "          200 200 200 200 200 200",
  withdrawSignInLinks: "      204 204 204 204 204 204",
  listUserTokens: "           200 200 200 200 200 200",
  deleteUserTokens: "         204 204 204 204 204 204",
  // Alice and Dave are the only owners of their projects, Erin is the only admin.
  deleteUser: "               409 204 204 204 409 409",
};

/** The same on a server where everyone may create projects. */
const USERS_CREATE_PROJECTS: Record<string, string> = {
  createProject: "            201 201 201 201 201 201 401",
  restoreProject: "           200 200 200 200 200 200 401",
};

const byId = new Map(allOperations.map((operation) => [operation.id, operation]));

/** Returns the status for each column, in the format of the table. */
async function callByAll(
  operation: Operation,
  world: World,
  pathFor: (path: string, person: World["people"]["alice"] | null) => string = (path) => path,
): Promise<string> {
  const statuses: number[] = [];
  for (const person of COLUMNS) {
    const { path, body } = await goodCall(operation, world, person);
    const called = pathFor(path, person && world.people[person]);
    statuses.push((await world.api(person, operation.method, called, body)).status);
  }
  return statuses.join(" ");
}

Deno.test("the table has every operation of the API, and no other", () => {
  assert.deepEqual(Object.keys(TABLE).toSorted(), [...byId.keys()].toSorted());
});

Deno.test("every operation answers each role as the table says", async () => {
  const seen: Record<string, string> = {};
  for (const operation of allOperations) {
    await using world = await newWorld();
    seen[operation.id] = await callByAll(operation, world);
  }
  assert.deepEqual(seen, trimmed(TABLE));
});

Deno.test("accounts are their owners' to see and to change, too", async () => {
  for (const [id, statuses] of Object.entries(trimmed(OWN_ACCOUNT))) {
    await using world = await newWorld();
    const own = await callByAll(
      byId.get(id)!,
      world,
      (path, caller) => path.replace(/\/users\/\d+/, `/users/${caller?.id ?? 0}`),
    );
    assert.equal(own, `${statuses} 401`, id);
  }
});

Deno.test("if everyone may create projects, all signed-in people can", async () => {
  for (const [id, statuses] of Object.entries(trimmed(USERS_CREATE_PROJECTS))) {
    await using world = await newWorld({ config: { usersCreateProjects: true } });
    assert.equal(await callByAll(byId.get(id)!, world), statuses, id);
  }
});

Deno.test("missing permissions are reported before anything of a body is read", async () => {
  for (const operation of allOperations) {
    if (!operation.body || ["public", "user"].includes(operation.access)) continue;
    await using world = await newWorld();
    const { path } = await goodCall(operation, world, "alice");
    for (const [column, expected] of trimmed(TABLE)[operation.id].split(" ").entries()) {
      const person = COLUMNS[column];
      const { status } = await world.api(person, operation.method, path, "no such body");
      const told = Number(expected) < 400 ? 400 : Number(expected);
      assert.equal(status, told, `${operation.id} by ${person}`);
    }
  }
});

/** Every account may be made a member, so Dave's project serves as well as Alice's. */
const ABOUT_ACCOUNTS = ["addMemberById"];

Deno.test("objects of another project are not found through one's own", async () => {
  for (const operation of allOperations) {
    if (!/\{projectId\}.*\{\w+Id\}/.test(operation.path)) continue;
    await using world = await newWorld();
    const { path, body } = await goodCall(operation, world, "dave");
    const throughLab = path.replace(/^\/api\/project\/\d+\//, `/api/project/${world.lab.id}/`);
    const caller = operation.access === "admin" ? "erin" : "dave";
    const { status } = await world.api(caller, operation.method, throughLab, body);
    const expected = ABOUT_ACCOUNTS.includes(operation.id) ? 204 : 404;
    assert.equal(status, expected, `${operation.id}: ${operation.method} ${throughLab}`);
  }
});

const trimmed = (table: Record<string, string>) =>
  Object.fromEntries(Object.entries(table).map(([id, statuses]) => [id, statuses.trim()]));
