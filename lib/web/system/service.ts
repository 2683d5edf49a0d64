import { authorize, requireAdmin } from "../../access/authorize.ts";
import type { Actor } from "../../access/actor.ts";
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

/** What runs templates. */
export const listApps = (): App[] => APPS;

/** One of them; throws not found. */
export function getApp(id: string): App {
  const app = APPS.find((app) => app.id === id);
  if (!app) throw notFound();
  return app;
}

/** Settings that were changed by the API: none, since they are the server's environment. */
export function listOptions(actor: Actor): Record<string, string> {
  requireAdmin(actor);
  return {};
}

/** Runners of all projects: none, since servers run their tasks themselves. */
export function listRunners(actor: Actor): never[] {
  requireAdmin(actor);
  return [];
}

/** Runners of a project, or their tags: none either. */
export async function listProjectRunners(
  { kv }: Pick<Deps, "kv">,
  actor: Actor,
  projectId: number,
): Promise<never[]> {
  await authorize(kv, actor, projectId);
  return [];
}

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
