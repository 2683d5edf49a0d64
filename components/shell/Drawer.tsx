import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { AccountMenu } from "./AccountMenu.tsx";
import { Preferences } from "./Preferences.tsx";
import { Avatar, ProjectMenu } from "./ProjectMenu.tsx";
import { may, type Shell } from "../../lib/http/shell.ts";
import { paths, type Section } from "../../lib/http/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

export interface Viewer {
  name: string;
  admin: boolean;
  mayCreateProjects: boolean;
}

interface DrawerProps {
  ui: Ui;
  viewer: Viewer;
  /** Null on pages that are about no project. */
  shell: Pick<Shell, "project" | "role" | "permissions"> | null;
  projects: Shell["projects"];
  /** Path and query of the page, below the sub-path. */
  here: string;
  version: string;
}

const ENTRIES: { section: Section; icon: IconName; also?: Section[] }[] = [
  { section: "history", icon: "dashboard", also: ["activity", "settings"] },
  { section: "templates", icon: "templates" },
  { section: "inventory", icon: "inventory" },
  { section: "environment", icon: "environment" },
  { section: "keys", icon: "keys" },
  { section: "repositories", icon: "repositories" },
];

/** Where one is and can go: beside the page, or over it on small screens. Needs no script. */
export function Drawer({ ui, viewer, shell, projects, here, version }: DrawerProps) {
  return (
    <header>
      <div class="topbar">
        <button
          type="button"
          class="icon-button"
          popovertarget="drawer"
          aria-label={ui.t("shell.menu")}
        >
          <Icon name="menu" />
        </button>
        {shell ? <Avatar project={shell.project} /> : <Logo class="w-7 h-7" />}
        <span class="truncate font-semibold">{shell?.project.name ?? ui.t("app.name")}</span>
      </div>
      <div id="drawer" class="drawer" popover="auto">
        <ProjectMenu
          ui={ui}
          current={shell?.project ?? null}
          subtitle={shell ? ui.t(`roles.${shell.role || "admin"}`) : ""}
          projects={projects}
          mayCreate={viewer.mayCreateProjects}
        />
        {shell
          ? <Sections ui={ui} shell={shell} here={here} />
          : <NoSections ui={ui} here={here} />}
        <div class="drawer-foot">
          <Preferences ui={ui} here={here} />
          <AccountMenu ui={ui} viewer={viewer} version={version} />
        </div>
      </div>
    </header>
  );
}

function Sections(
  { ui, shell, here }: { ui: Ui; shell: NonNullable<DrawerProps["shell"]>; here: string },
) {
  const { id } = shell.project;
  const current = sectionOf(here);
  return (
    <nav aria-label={shell.project.name}>
      <ul>
        {ENTRIES.map(({ section, icon, also = [] }) => (
          <Entry
            key={section}
            icon={icon}
            href={ui.href(paths.section(id, section))}
            current={section === current || (current !== null && also.includes(current))}
          >
            {ui.t(`sections.${section}`)}
          </Entry>
        ))}
      </ul>
      <Rights ui={ui} permissions={shell.permissions} />
    </nav>
  );
}

const NoSections = ({ ui, here }: { ui: Ui; here: string }) => (
  <nav aria-label={ui.t("shell.projects")}>
    <ul>
      <Entry icon="plus" href={ui.href(paths.newProject())} current={here === paths.newProject()}>
        {ui.t("projects.new")}
      </Entry>
    </ul>
  </nav>
);

interface EntryProps {
  icon: IconName;
  href: string;
  current: boolean;
  children: ComponentChildren;
}

const Entry = ({ icon, href, current, children }: EntryProps) => (
  <li>
    <a href={href} aria-current={current ? "page" : undefined}>
      <Icon name={icon} />
      {children}
    </a>
  </li>
);

/** Tells those who may not change things what they may do. */
function Rights({ ui, permissions }: { ui: Ui; permissions: number }) {
  const rights = { permissions } as Shell;
  if (may(rights, "manage_resources")) return null;
  const [icon, key]: [IconName, string] = may(rights, "run_tasks")
    ? ["play", "shell.may_run"]
    : ["lock", "shell.read_only"];
  return (
    <p class="drawer-note">
      <Icon name={icon} />
      {ui.t(key)}
    </p>
  );
}

/** `/project/7/views/3/templates` belongs to the templates, as `/project/7/templates` does. */
function sectionOf(here: string): Section | null {
  const [section = "", , below] = here.split(/[?#]/)[0].split("/").slice(3);
  return (section === "views" ? below : section) as Section || null;
}
