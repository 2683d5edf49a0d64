import type { AdminScope, ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, notFound } from "../../base/errors.ts";
import type { App, SystemInfo } from "./schema.ts";

const APPS: App[] = [{
  id: "ansible",
  title: "Ansible Playbook",
  icon: "ansible",
  color: "black",
  dark_color: "white",
  active: true,
  priority: 1000,
  path: "",
  args: [],
}];

/** What runs templates. */
export const listApps = (): App[] => APPS;

/** One of them; throws not found. */
export function getApp(id: string): App {
  const app = APPS.find((app) => app.id === id);
  if (!app) throw notFound();
  return app;
}

/** Settings that were changed by the API: none, since they are the server's environment. */
export const listOptions = (_: AdminScope): Record<string, string> => ({});

/** Throws 403: servers run their tasks themselves. */
export function refuseRunner(_: AdminScope | ProjectScope<"manage_resources">): never {
  throw new AppError(403, "errors.runners");
}

/** Runners of all projects: none, since servers run their tasks themselves. */
export const listRunners = (_: AdminScope): never[] => [];

/** Runners of a project, or their tags: none either. */
export const listProjectRunners = (_: ProjectScope): never[] => [];

/** What clients ask about this server. */
export function systemInfo({ config, ansibleVersion }: Deps): SystemInfo {
  return {
    version: config.version,
    ansible: ansibleVersion ?? "",
    web_host: config.url ? config.url.origin + config.basePath : "",
    use_remote_runner: false,
    schedule_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
