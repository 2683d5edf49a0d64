import { Icon } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { AccountMenu, type Viewer } from "./AccountMenu.tsx";
import { Preferences } from "./Preferences.tsx";
import { Avatar, ProjectMenu } from "./ProjectMenu.tsx";
import { Sections, WaysOut } from "./Sections.tsx";
import type { Shell } from "../../lib/web/shell.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

interface DrawerProps {
  ui: Ui;
  viewer: Viewer;
  /** Null on pages that belong to no project. */
  shell: Pick<Shell, "project" | "role" | "permissions" | "viewId"> | null;
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
