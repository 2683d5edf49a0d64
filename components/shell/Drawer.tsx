import { Icon } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { AccountMenu, type Viewer } from "./AccountMenu.tsx";
import { Preferences } from "./Preferences.tsx";
import { Sections, WaysOut } from "./Sections.tsx";
import type { Shell } from "../../lib/web/shell.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ProjectView } from "../../lib/maintenance/projects/schema.ts";

interface DrawerProps {
  ui: Ui;
  viewer: Viewer;
  /** Null on pages that belong to no project. */
  shell: Omit<Shell, "projects" | "since"> | null;
  projects: Shell["projects"];
  /** The project of the previous page. */
  lastProjectId: number;
  /** Path and query of the page, below the sub-path. */
  here: string;
  version: string;
  shortcuts: boolean;
  /** Whether an overlay covers the page. */
  covered: boolean;
}

/** The navigation drawer: beside the page, or over it on small screens. Needs no script. */
export function Drawer(
  { ui, viewer, shell, projects, lastProjectId, here, version, shortcuts, covered }: DrawerProps,
) {
  const last = projects.find(({ id }) => id === lastProjectId) ?? projects[0];
  return (
    <header inert={covered}>
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
        <span class="truncate flex-1 font-semibold">{shell?.project.name ?? ui.t("app.name")}</span>
        {shell && (
          <a
            class="topbar-search"
            href={ui.href(paths.search(shell.project.id))}
            data-palette
            title={ui.t("search.title")}
          >
            <Icon name="search" label={ui.t("search.title")} />
          </a>
        )}
      </div>
      <div id="drawer" class="drawer" popover="auto">
        <ProjectMenu
          ui={ui}
          current={shell?.project ?? null}
          subtitle={shell ? ui.t(`roles.${shell.role || "admin"}`) : ""}
          projects={projects}
          mayCreate={viewer.mayCreateProjects}
        />
        {shell && (
          <a class="drawer-search" href={ui.href(paths.search(shell.project.id))} data-palette>
            <Icon name="search" />
            {ui.t("search.title")}
            <kbd aria-hidden="true">{ui.t("shortcuts.ctrl")} K</kbd>
          </a>
        )}
        {shell ? <Sections ui={ui} shell={shell} here={here} /> : (
          <WaysOut
            ui={ui}
            mayCreateProjects={viewer.mayCreateProjects}
            last={last}
            here={here}
          />
        )}
        <div class="drawer-foot">
          <Preferences ui={ui} here={here} />
          <AccountMenu ui={ui} viewer={viewer} version={version} shortcuts={shortcuts} />
        </div>
      </div>
    </header>
  );
}

type Project = Pick<ProjectView, "id" | "name">;

interface ProjectMenuProps {
  ui: Ui;
  current: Project | null;
  /** The viewer's role in the project. */
  subtitle: string;
  projects: Project[];
  mayCreate: boolean;
}

/** Shows the current project, and lists the others. */
function ProjectMenu({ ui, current, subtitle, projects, mayCreate }: ProjectMenuProps) {
  return (
    <div>
      <button type="button" class="drawer-project" popovertarget="project-menu">
        {current ? <Avatar project={current} /> : <Logo class="w-8 h-8 flex-none" />}
        <span class="min-w-0 flex-1">
          <strong class="block truncate">{current?.name ?? ui.t("shell.choose_project")}</strong>
          {" "}
          {subtitle && <small class="block text-drawer_muted">{subtitle}</small>}
        </span>
        <Icon name="chevron_down" />
      </button>
      <div id="project-menu" class="drawer-menu drawer-menu-top" popover="auto">
        <ul>
          {projects.map((project) => (
            <li>
              <a
                href={ui.href(paths.project(project.id))}
                aria-current={project.id === current?.id ? "true" : undefined}
              >
                <Avatar project={project} />
                <span class="truncate">{project.name}</span>
              </a>
            </li>
          ))}
        </ul>
        {mayCreate && (
          <ul class="drawer-menu-apart">
            <li>
              <a href={ui.href(paths.newProject())} data-over>
                <Icon name="plus" />
                {ui.t("projects.new_menu")}
              </a>
            </li>
            <li>
              <a href={ui.href(paths.restoreProject())}>
                <Icon name="restore" />
                {ui.t("projects.restore_menu")}
              </a>
            </li>
          </ul>
        )}
      </div>
    </div>
  );
}

const COLORS = ["bg-avatar_red", "bg-avatar_blue", "bg-avatar_orange", "bg-avatar_green"];

/** Two letters on one of four colors. A project always has the same color. */
const Avatar = ({ project }: { project: Project }) => (
  <span
    class={`avatar ${COLORS[project.id % COLORS.length]}`}
    // The style sheet draws the letters, so screen readers and text browsers skip them.
    data-initials={initials(project.name)}
  />
);

/** Returns the first letters of two words, or the first two of one. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/).map((word) => [...word]);
  const letters = words.length > 1 ? [words[0][0], words[1][0]] : words[0].slice(0, 2);
  return letters.join("").toUpperCase();
}
