import { paths, type Section } from "../../lib/base/paths.ts";
import { ACCOUNT_PAGES } from "./account_pages.ts";
import { ADMIN_PAGES } from "./admin_pages.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Permission } from "../../lib/access/permissions.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { SEARCH_KINDS } from "../../lib/search/schema.ts";
import type { IconName } from "../ui/Icon.tsx";

/** A destination in the palette. */
export interface Entry {
  name: string;
  /** Distinguishes it from others of the same name. */
  detail?: string;
  icon: IconName;
  /** Complete address. */
  href: string;
  /** Whether it is a dialog, which opens over the current page. */
  over?: boolean;
  /** Complete address of the form that starts it, if it can be started. */
  run?: string;
}

/** Data of the palette, which the page requests when it is opened. */
export interface PaletteProps {
  /** Addresses of the style sheets that the dialog needs. */
  sheets: string[];
  /** 0 outside of projects. */
  projectId: number;
  /** Address of the search, as a page and in the API; null outside of projects. */
  search: { page: string; api: string } | null;
  /** Prefix for the paths that the API returns. */
  basePath: string;
  /** Whether the user can start the templates and workflows that are found. */
  mayRun: boolean;
  entries: Entry[];
  texts: Record<string, string>;
}

const PAGES: [section: Section, icon: IconName, key: string][] = [
  ["history", "dashboard", "sections.history"],
  ["activity", "activity", "dashboard.activity"],
  ["templates", "templates", "sections.templates"],
  ["workflows", "workflows", "sections.workflows"],
  ["inventory", "inventory", "sections.inventory"],
  ["environment", "environment", "sections.environment"],
  ["keys", "keys", "sections.keys"],
  ["repositories", "repositories", "sections.repositories"],
  ["git_credentials", "git_credentials", "sections.git_credentials"],
  ["toolchains", "toolchains", "sections.toolchains"],
  ["integrations", "integrations", "sections.integrations"],
  ["runners", "runners", "sections.runners"],
  ["team", "team", "sections.team"],
];

const NEW: [key: string, pathOf: (projectId: number) => string, permission: Permission][] = [
  ["templates.new", (id) => paths.editTemplate(id, "new"), "manage_resources"],
  ["workflows.new", (id) => paths.workflow(id, "new", "/edit"), "manage_resources"],
  ["resources.inventories.new", (id) => paths.item(id, "inventory", "new"), "manage_resources"],
  ["resources.environments.new", (id) => paths.item(id, "environment", "new"), "manage_resources"],
  ["resources.keys.new", (id) => paths.item(id, "keys", "new"), "manage_keys"],
  ["resources.repositories.new", (id) => paths.item(id, "repositories", "new"), "manage_resources"],
  [
    "resources.git_credentials.new",
    (id) => paths.item(id, "git_credentials", "new"),
    "manage_keys",
  ],
  ["resources.toolchains.new", (id) => paths.item(id, "toolchains", "new"), "manage_resources"],
  ["integrations.new", (id) => paths.integration(id, "new"), "manage_triggers"],
  ["runners.new", (id) => paths.runner(id, "new"), "manage_runners"],
  ["team.new", (id) => paths.item(id, "team", "new"), "add_people"],
];

/** Data of the frame that decides what the palette offers. */
interface Reader {
  shell: Shell | null;
  viewer: { admin: boolean };
  projects: Shell["projects"];
}

/** The pages of a project, and the resources that the current user can create in it. */
function projectEntries(ui: Ui, shell: Shell): Entry[] {
  const { id } = shell.project;
  const settings: Entry = {
    name: ui.t("dashboard.settings"),
    icon: "settings",
    href: ui.href(paths.section(id, "settings")),
  };
  const alerts: Entry = {
    name: ui.t("sections.alerts"),
    icon: "bell",
    href: ui.href(paths.alerts(id)),
  };
  return [
    ...PAGES.map(([section, icon, key]): Entry => ({
      name: ui.t(key),
      icon,
      href: ui.href(paths.section(id, section)),
    })),
    ...(may(shell, "manage_resources") ? [alerts] : []),
    ...(may(shell, "update_project") ? [settings] : []),
    ...NEW.filter(([, , permission]) => may(shell, permission)).map(([key, pathOf]): Entry => ({
      name: ui.t(key),
      icon: "plus",
      href: ui.href(pathOf(id)),
      over: true,
    })),
  ];
}

/** The projects, for pages outside of them. */
const projectsOf = (ui: Ui, projects: Shell["projects"]): Entry[] =>
  projects.map(({ id, name }) => ({ name, icon: "dashboard", href: ui.href(paths.project(id)) }));

/** The account, and for admins the pages of the server. */
function commonEntries(ui: Ui, { admin }: Reader["viewer"]): Entry[] {
  const pages: Entry[] = ADMIN_PAGES.map(({ name, icon, path }) => ({
    name: ui.t(name),
    detail: ui.t("admin.title"),
    icon,
    href: ui.href(path),
  }));
  const account: Entry[] = ACCOUNT_PAGES.map(({ page, name, icon }) => ({
    name: ui.t(name),
    detail: ui.t("account.edit"),
    icon,
    href: ui.href(paths.account(page)),
  }));
  return admin ? [...account, ...pages] : account;
}

const TEXTS = [
  "search.title",
  "search.placeholder",
  "search.places",
  "search.everything",
  "search.failed",
  "search.recent",
  "search.go_to",
  "search.nothing",
  "search.found",
  "search.run",
  "start_task.run.task",
  "actions.close",
  ...SEARCH_KINDS.map((kind) => `search.kinds.${kind}`),
];

/** HTML that stands for the dialog, which only a script draws. */
export const DIALOG_HTML = '<dialog class="palette">';

/** Returns the palette's data for a page of a project, or with null for one outside of projects. */
export function paletteProps(
  ui: Ui,
  { shell, viewer, projects }: Reader,
  sheets: string[],
): PaletteProps {
  const own = shell ? projectEntries(ui, shell) : projectsOf(ui, projects);
  const search = shell ? paths.search(shell.project.id) : null;
  return {
    sheets,
    projectId: shell?.project.id ?? 0,
    search: search === null ? null : { page: ui.href(search), api: ui.href(`/api${search}`) },
    basePath: ui.href(""),
    mayRun: shell !== null && may(shell, "run_tasks"),
    entries: [...own, ...commonEntries(ui, viewer)],
    texts: Object.fromEntries(TEXTS.map((key) => [key, ui.t(key)])),
  };
}
