import { paths } from "../../lib/base/paths.ts";
import type { IconName } from "../ui/Icon.tsx";

interface AdminPage {
  /** Locale key of its name. */
  name: string;
  icon: IconName;
  path: string;
}

/** The pages of the server, for its admins, in the order of their drawer. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  { name: "users.title", icon: "team", path: paths.users() },
  { name: "waiting.title", icon: "waiting_confirmation", path: paths.waitingPeople() },
  { name: "group_rules.title", icon: "group_rules", path: paths.groupRules() },
  { name: "runners.title", icon: "runners", path: paths.runners(null) },
  { name: "sections.toolchains", icon: "toolchains", path: paths.serverToolchains() },
  { name: "sections.alerts", icon: "bell", path: paths.alerts(null) },
  { name: "task_identity.title", icon: "identity", path: paths.adminIdentity() },
  { name: "queue.title", icon: "queue", path: paths.queue() },
  { name: "jobs.title", icon: "waiting", path: paths.adminJobs() },
  { name: "dashboard.activity", icon: "activity", path: paths.activity(null) },
  { name: "admin.health", icon: "health", path: paths.adminHealth() },
  { name: "backups.title", icon: "download", path: paths.adminBackups() },
  { name: "maintenance.title", icon: "warning", path: paths.adminMaintenance() },
  { name: "admin.settings", icon: "settings", path: paths.adminSettings() },
  { name: "docs.title", icon: "docs", path: paths.apiDocs() },
];

/** Returns the page of the server that a path belongs to; null for paths of projects and others. */
export function adminPageOf(here: string): AdminPage | null {
  const path = here.split(/[?#]/)[0];
  const found = ADMIN_PAGES.filter((page) => `${path}/`.startsWith(`${page.path}/`));
  // "/users/waiting" is also below "/users".
  return found.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}
