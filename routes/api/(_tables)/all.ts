import type { Operation } from "@/lib/access/operation.ts";
import type { Binding } from "@/lib/web/api/bind.ts";
import { alertFeeds, alerts, projectAlerts, serverAlerts } from "./alerts.ts";
import { drift } from "./drift.ts";
import { events } from "./events.ts";
import { hosts } from "./hosts.ts";
import { aliases, extractValues, integrations, matchers } from "./integrations.ts";
import { hostAuthorities } from "./host_authorities.ts";
import { knownHosts } from "./known_hosts.ts";
import { connectionTests } from "./connection_tests.ts";
import { backups, projects } from "./projects.ts";
import { ownKeys } from "./own_keys.ts";
import {
  environments,
  gitCredentials,
  inventories,
  keys,
  repositories,
  secretStorages,
  serverToolchainBuilds,
  serverToolchains,
  toolchainBuilds,
  toolchains,
  views,
} from "./resources.ts";
import { previews } from "./previews.ts";
import { results } from "./results.ts";
import { projectRunners, runnerProtocol, serverRunners } from "./runners.ts";
import { runnerRuns } from "./runner_runs.ts";
import { schedules } from "./schedules.ts";
import { search } from "./search.ts";
import { sessions } from "./sessions.ts";
import { sso } from "./sso.ts";
import { health, jobs, maintenance, system, taskIdentity } from "./system.ts";
import { tasks } from "./tasks.ts";
import { team } from "./team.ts";
import { templates } from "./templates.ts";
import { tokens } from "./tokens.ts";
import { userOptions } from "./user_options.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";
import { workflows } from "./workflows.ts";

/** All operations of the API by noun, each with the function that implements it. */
export const bindings: Binding[] = [
  sessions,
  sso,
  system,
  health,
  taskIdentity,
  maintenance,
  jobs,
  users,
  tokens,
  userOptions,
  ownKeys,
  projects,
  team,
  templates,
  tasks,
  previews,
  results,
  hosts,
  drift,
  workflows,
  schedules,
  views,
  inventories,
  environments,
  keys,
  hostAuthorities,
  secretStorages,
  knownHosts,
  repositories,
  gitCredentials,
  toolchains,
  toolchainBuilds,
  serverToolchains,
  serverToolchainBuilds,
  connectionTests,
  integrations,
  extractValues,
  matchers,
  aliases,
  webhooks,
  serverRunners,
  projectRunners,
  events,
  search,
  backups,
  alerts,
  alertFeeds,
  projectAlerts,
  serverAlerts,
  runnerProtocol,
  runnerRuns,
].flat();

/** Operations for the OpenAPI document and for tests. */
export const allOperations: Operation[] = bindings.map(({ operation }) => operation);
