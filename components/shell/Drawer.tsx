import { roleLabel } from "@/lib/model/role_label.ts";
import type { ComponentChildren } from "preact";
import { ADMIN_PAGES, adminPageOf } from "../palette/admin_pages.ts";
import { Icon } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { AccountMenu, type Viewer } from "./AccountMenu.tsx";
import { Preferences } from "./Preferences.tsx";
import { Entry, Sections, WaysOut } from "./Sections.tsx";
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
  /** Groups of sections that this browser folds. */
  folded: readonly string[];
  /** Number of people who wait for approval. Only pages of the server show it. */
  waiting?: number;
  /** Whether an overlay covers the page. */
  covered: boolean;
}

/** The navigation drawer: beside the page, or over it on small screens. Needs no script. */
export function Drawer(props: DrawerProps) {
  const { ui, viewer, shell, projects, lastProjectId, here, version, shortcuts, covered } = props;
  const last = projects.find(({ id }) => id === lastProjectId) ?? projects[0];
  const searched = shell?.project ?? last;
  const isAdminPage = !shell && viewer.admin && adminPageOf(here) !== null;
  const choose = ui.t("shell.choose_project");
  const [title, subtitle] = shell
    ? [shell.project.name, roleLabel(ui, shell.role || "admin", shell.roleName)]
    : isAdminPage
    ? [ui.t("admin.title"), choose]
    : [choose, ""];
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
        <span class="truncate flex-1 font-semibold">
          {shell || isAdminPage ? title : ui.t("app.name")}
        </span>
        <SearchLink ui={ui} project={searched} class="topbar-search" title={ui.t("search.title")}>
          <Icon name="search" label={ui.t("search.title")} />
        </SearchLink>
      </div>
      <div id="drawer" class="drawer" popover="auto">
        <ProjectMenu
          ui={ui}
          current={shell?.project ?? null}
          title={title}
          subtitle={subtitle}
          projects={projects}
          mayCreate={viewer.mayCreateProjects}
        />
        <SearchLink ui={ui} project={searched} class="drawer-search">
          <Icon name="search" />
          {ui.t("search.title")}
          <kbd aria-hidden="true">{ui.t("shortcuts.ctrl")} K</kbd>
        </SearchLink>
        {shell ? <Sections ui={ui} shell={shell} here={here} folded={props.folded} /> : (
          <>
            {isAdminPage && <AdminSections ui={ui} here={here} waiting={props.waiting ?? 0} />}
            <WaysOut
              ui={ui}
              mayCreateProjects={viewer.mayCreateProjects && !isAdminPage}
              last={last}
              here={here}
            />
          </>
        )}
        <div class="drawer-foot">
          <Preferences ui={ui} here={here} />
          <AccountMenu ui={ui} viewer={viewer} version={version} shortcuts={shortcuts} />
        </div>
      </div>
    </header>
  );
}

interface SearchLinkProps {
  ui: Ui;
  /** Searched without a script: the project of the page, or the last one. */
  project: Project | undefined;
  class: string;
  title?: string;
  children: ComponentChildren;
}

/** Opens the palette. */
const SearchLink = ({ ui, project, class: className, title, children }: SearchLinkProps) => (
  <a
    class={project ? className : `${className} needs-script`}
    href={ui.href(project ? paths.search(project.id) : "/")}
    title={title}
    data-palette
  >
    {children}
  </a>
);

type Project = Pick<ProjectView, "id" | "name">;

interface ProjectMenuProps {
  ui: Ui;
  current: Project | null;
  /** Name of the project, or of the place outside of projects. */
  title: string;
  /** The viewer's role in the project. */
  subtitle: string;
  projects: Project[];
  mayCreate: boolean;
}

/** Shows the current project, and lists the others. */
function ProjectMenu({ ui, current, title, subtitle, projects, mayCreate }: ProjectMenuProps) {
  return (
    <div>
      <button type="button" class="drawer-project" popovertarget="project-menu">
        {current ? <Avatar project={current} /> : <Logo class="w-8 h-8 flex-none" />}
        <span class="min-w-0 flex-1">
          <strong class="drawer-name" title={title}>{title}</strong>{" "}
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
                <span class="drawer-name" title={project.name}>{project.name}</span>
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

interface AdminSectionsProps {
  ui: Ui;
  here: string;
  /** Number of people who wait for approval. */
  waiting: number;
}

/** Links to the pages of the server, for its admins. */
function AdminSections({ ui, here, waiting }: AdminSectionsProps) {
  const current = adminPageOf(here);
  return (
    <nav aria-label={ui.t("admin.title")}>
      <ul>
        {ADMIN_PAGES.map((page, n) => (
          <Entry
            key={n}
            icon={page.icon}
            href={ui.href(page.path)}
            current={page === current}
          >
            {ui.t(page.name)}
            {page.path === paths.waitingPeople() && waiting > 0 && (
              <span class="drawer-mark drawer-mark-news">{ui.number(waiting)}</span>
            )}
          </Entry>
        ))}
      </ul>
    </nav>
  );
}
