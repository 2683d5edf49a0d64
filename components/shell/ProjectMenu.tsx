import { Icon } from "../ui/Icon.tsx";
import { Logo } from "../ui/Logo.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ProjectView } from "../../lib/maintenance/projects/schema.ts";

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
export function ProjectMenu({ ui, current, subtitle, projects, mayCreate }: ProjectMenuProps) {
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
export const Avatar = ({ project }: { project: Project }) => (
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
