import { paths, type Section } from "../../lib/base/paths.ts";
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
}

/** Data that the page passes to the palette. */
export interface PaletteProps {
  projectId: number;
  /** Address of the search, as a page and in the API. */
  page: string;
  api: string;
  /** Prefix for the paths that the API returns. */
  basePath: string;
  /** Whether the user can start the templates that are found. */
  mayRun: boolean;
  entries: Entry[];
  texts: Record<string, string>;
}

const PAGES: [section: Section, icon: IconName, key: string][] = [
  ["history", "dashboard", "sections.history"],
  ["activity", "activity", "dashboard.activity"],
  ["templates", "templates", "sections.templates"],
  ["inventory", "inventory", "sections.inventory"],
  ["environment", "environment", "sections.environment"],
  ["keys", "keys", "sections.keys"],
  ["repositories", "repositories", "sections.repositories"],
  ["integrations", "integrations", "sections.integrations"],
  ["team", "team", "sections.team"],
];

const NEW: [key: string, pathOf: (projectId: number) => string, permission: Permission][] = [
  ["templates.new", (id) => paths.editTemplate(id, "new"), "manage_resources"],
  ["resources.inventories.new", (id) => paths.item(id, "inventory", "new"), "manage_resources"],
  ["resources.environments.new", (id) => paths.item(id, "environment", "new"), "manage_resources"],
  ["resources.keys.new", (id) => paths.item(id, "keys", "new"), "manage_resources"],
  ["resources.repositories.new", (id) => paths.item(id, "repositories", "new"), "manage_resources"],
  ["integrations.new", (id) => paths.integration(id, "new"), "manage_resources"],
  ["team.new", (id) => paths.item(id, "team", "new"), "manage_users"],
];

/** The pages of a project, and the resources that the current user can create in it. */
function entriesOf(ui: Ui, shell: Shell): Entry[] {
  const { id } = shell.project;
  const settings: Entry = {
    name: ui.t("dashboard.settings"),
    icon: "settings",
    href: ui.href(paths.section(id, "settings")),
  };
  return [
    ...PAGES.map(([section, icon, key]): Entry => ({
      name: ui.t(key),
      icon,
      href: ui.href(paths.section(id, section)),
    })),
    ...(may(shell, "update_project") ? [settings] : []),
    ...NEW.filter(([, , permission]) => may(shell, permission)).map(([key, pathOf]): Entry => ({
      name: ui.t(key),
      icon: "plus",
      href: ui.href(pathOf(id)),
      over: true,
    })),
  ];
}

const TEXTS = [
  "search.title",
  "search.placeholder",
  "search.everything",
  "search.failed",
  "search.recent",
  "search.go_to",
  "search.nothing",
  "search.found",
  "search.run",
  "actions.close",
  ...SEARCH_KINDS.map((kind) => `search.kinds.${kind}`),
];

/** Returns the palette's data for a page of a project. */
export const paletteProps = (ui: Ui, shell: Shell): PaletteProps => ({
  projectId: shell.project.id,
  page: ui.href(paths.search(shell.project.id)),
  api: ui.href(`/api${paths.search(shell.project.id)}`),
  basePath: ui.href(""),
  mayRun: may(shell, "run_tasks"),
  entries: entriesOf(ui, shell),
  texts: Object.fromEntries(TEXTS.map((key) => [key, ui.t(key)])),
});
