const cron = "30 2 * * *";
const key = {
  name: "Deploy key",
  type: "ssh",
  ssh: { login: "deploy", passphrase: "", private_key: "-----BEGIN OPENSSH PRIVATE KEY-----\n…" },
};
const repository = {
  name: "Playbooks",
  git_url: "git@git.example.com:shop/playbooks.git",
  git_branch: "main",
  ssh_key_id: 1,
};
const inventory = {
  name: "Staging",
  type: "static",
  inventory: "[web]\nweb1.example.com\n",
  ssh_key_id: 1,
  become_key_id: null,
};
const environment = {
  name: "Staging",
  json: '{"region": "eu"}',
  env: '{"LANG": "C.UTF-8"}',
  secrets: [{ type: "var", name: "api_token", secret: "…", operation: "create" }],
};
const template = {
  name: "Deploy shop",
  playbook: "deploy.yml",
  type: "",
  inventory_id: 1,
  repository_id: 1,
  environment_id: 1,
  survey_vars: [
    { name: "host", title: "Host", description: "Where to", type: "", required: true },
  ],
  arguments: '["--diff"]',
  task_params: { limit: ["web"], allow_override_limit: true },
};
const schedule = {
  template_id: 1,
  name: "Nightly",
  cron_format: cron,
  timezone: "Europe/Berlin",
  active: true,
  missed: "run_once",
};
const integration = {
  name: "Git push",
  template_id: 1,
  auth_method: "github",
  auth_secret_id: 2,
  searchable: false,
};
const matcher = {
  name: "Branch main",
  match_type: "body",
  body_data_type: "json",
  key: "ref",
  method: "equals",
  value: "refs/heads/main",
};
const extractValue = {
  name: "Commit",
  value_source: "body",
  body_data_type: "json",
  key: "head_commit.id",
  variable: "commit",
};
const user = {
  name: "Nora Night",
  username: "nora",
  email: "nora@example.com",
  password: "correct horse battery staple",
  admin: false,
  alert: true,
};
const project = {
  name: "Web shop",
  alert: true,
  alert_chat: "-1001234567890",
  max_parallel_tasks: 2,
};
const runner = {
  name: "dmz-1",
  description: "Behind the firewall of the shop",
  tags: ["dmz"],
  max_parallel_tasks: 2,
};
const runnerToken = {
  name: "Image of the DMZ",
  tags: ["dmz"],
  max_parallel_tasks: 1,
  uses_max: 20,
  expires_at: "2040-01-01T00:00:00Z",
};

/** Example bodies of the operations that accept one, by the operation's id. */
export const EXAMPLES: Record<string, unknown> = {
  signIn: { auth: "nora", password: "correct horse battery staple" },
  createUser: user,
  updateUser: { ...user, password: "" },
  changePassword: { password: "a new one", current_password: "correct horse battery staple" },
  createToken: { name: "Nightly script", expires_at: "2040-01-01T00:00:00Z" },
  answerCheck: { answer: ["main", "next"], failure: null },
  pollForRuns: {
    session: "0b2a0c9e-6a3b-4a5e-9a57-3f6f1a2b3c4d",
    facts: {
      version: "1.0.0",
      platform: "linux/x64",
      ansible: "ansible-playbook [core 2.19.1]",
      isolation: "bwrap",
      slots: 2,
    },
    free: 2,
    runs: [],
    wait_ms: 45_000,
  },
  createRunner: { ...runner, project_ids: [1, 2] },
  updateRunner: { ...runner, active: true },
  setRunnerActive: { active: false },
  setRunnerState: { state: "draining" },
  createRunnerToken: { ...runnerToken, project_ids: [] },
  createProjectRunner: runner,
  updateProjectRunner: { ...runner, active: true },
  setProjectRunnerActive: { active: false },
  setProjectRunnerState: { state: "draining" },
  createProjectRunnerToken: runnerToken,
  registerRunner: {
    token: "cbo_….7",
    public_key: "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo",
    name: "dmz-1",
    facts: {
      version: "1.0.0",
      platform: "linux/x64",
      ansible: "ansible-playbook [core 2.19.1]",
      isolation: "bwrap",
      slots: 2,
    },
  },
  registerSemaphoreRunner: {
    registration_token: "cbo_….7",
    name: "dmz-1",
    max_parallel_tasks: 1,
    public_key: "",
  },
  createProject: { ...project, demo: false },
  updateProject: project,
  deleteProject: { force: true },
  addMember: { user_id: 2, role: "task_runner" },
  addMemberById: { role: "task_runner" },
  changeMemberRole: { role: "manager" },
  createTemplate: template,
  updateTemplate: template,
  startTask: {
    template_id: 1,
    message: "Friday's release",
    environment: '{"host": "web1.example.com"}',
    dry_run: false,
    params: { limit: ["web1.example.com"] },
  },
  stopTask: { force: false },
  stopAllTemplateTasks: { force: true },
  createSchedule: schedule,
  validateCron: { cron_format: cron },
  updateSchedule: schedule,
  setScheduleActive: { active: false },
  createView: { title: "Nightly", position: 1 },
  updateView: { title: "Every night", position: 1 },
  moveViews: { "1": 1, "2": 0 },
  createInventory: inventory,
  updateInventory: inventory,
  createEnvironment: environment,
  updateEnvironment: { ...environment, secrets: [] },
  createKey: key,
  updateKey: { name: "Old deploy key" },
  createRepository: repository,
  updateRepository: { ...repository, git_branch: "next" },
  createIntegration: integration,
  updateIntegration: { ...integration, searchable: true },
  createMatcher: matcher,
  updateMatcher: { ...matcher, method: "contains" },
  createExtractValue: extractValue,
  updateExtractValue: extractValue,
  restoreProject: {
    meta: { name: "Web shop", alert: false, max_parallel_tasks: 2, type: "" },
    keys: [{ name: "None", type: "none" }],
    environments: [{ name: "Staging", json: '{"region": "eu"}' }],
    views: [],
    repositories: [],
    inventories: [],
    templates: [],
    integrations: [],
    integration_aliases: [],
  },
};
