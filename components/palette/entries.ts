import { paths, type Section } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/pages/shell.ts";
import type { Permission } from "../../lib/access/permissions.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { SEARCH_KINDS } from "../../lib/search/schema.ts";
import type { IconName } from "../ui/Icon.tsx";

/** Somewhere that the palette leads to. */
export interface Entry {
  name: string;
  /** What tells it from others of that name. */
  detail?: string;
  icon: IconName;
  /** Complete. */
  href: string;
  /** It is a dialog, which opens over the page that one is on. */
  over?: boolean;
}

/** What the palette is given by the page. */
export interface PaletteProps {
  projectId: number;
  /** Where the search is, as a page and as a call of the API. */
  page: string;
  api: string;
  /** In front of the pages that the API names. */
  basePath: string;
  /** Whether the reader may start what is found. */
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

/** The pages of a project, and what can be made in it by who looks at it. */
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

/** What the palette of a project's page needs. */
export const paletteProps = (ui: Ui, shell: Shell): PaletteProps => ({
  projectId: shell.project.id,
  page: ui.href(paths.search(shell.project.id)),
  api: ui.href(`/api${paths.search(shell.project.id)}`),
  basePath: ui.href(""),
  mayRun: may(shell, "run_tasks"),
  entries: entriesOf(ui, shell),
  texts: Object.fromEntries(TEXTS.map((key) => [key, ui.t(key)])),
});
