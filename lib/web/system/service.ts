import type { AdminScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { notFound } from "../../base/errors.ts";
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

/** Returns the programs that run templates. */
export const listApps = (): App[] => APPS;

/** Returns one of these programs. Throws not found. */
export function getApp(id: string): App {
  const app = APPS.find((app) => app.id === id);
  if (!app) throw notFound();
  return app;
}

/**
 * Returns the settings that were changed through the API. There are none, because settings are
 * environment variables.
 */
export const listOptions = (_: AdminScope): Record<string, string> => ({});

/** Returns the information that clients request about this server. */
export function systemInfo({ config, ansibleVersion }: Deps): SystemInfo {
  return {
    version: config.version,
    ansible: ansibleVersion ?? "",
    web_host: config.url ? config.url.origin + config.basePath : "",
    use_remote_runner: false,
    login_with_password: config.passwordSignIn,
    auth_methods: {},
    git_client: "cmd_git",
    features: { workflows: true },
    schedule_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
