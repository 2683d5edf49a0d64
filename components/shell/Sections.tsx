import type { ComponentChildren } from "preact";
import { covers, RUN_PERMISSIONS } from "../../lib/access/permissions.ts";
import { paths, type Section } from "../../lib/base/paths.ts";
import { FOLDED_COOKIE, may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";

interface SectionEntry {
  section: Section;
  icon: IconName;
  also?: Section[];
  /** Whether only people who manage resources can open it. */
  forManagers?: boolean;
}

const DASHBOARD: SectionEntry = {
  section: "history",
  icon: "dashboard",
  also: ["runs", "activity", "settings"],
};

/** The other sections, in groups that can be folded. */
const GROUPS: Record<string, SectionEntry[]> = {
  run: [
    { section: "templates", icon: "templates" },
    { section: "workflows", icon: "workflows" },
    { section: "schedules", icon: "schedules" },
  ],
  fleet: [
    { section: "inventory", icon: "inventory" },
    { section: "hosts", icon: "hosts" },
    { section: "drift", icon: "drift" },
  ],
  set_up: [
    { section: "environment", icon: "environment" },
    { section: "keys", icon: "keys" },
    { section: "repositories", icon: "repositories" },
    { section: "toolchains", icon: "toolchains" },
    { section: "integrations", icon: "integrations" },
    { section: "runners", icon: "runners" },
    { section: "alerts", icon: "bell", forManagers: true },
    { section: "team", icon: "team" },
  ],
};

interface SectionsProps {
  ui: Ui;
  shell: Pick<Shell, "project" | "permissions" | "viewId" | "failingSchedules">;
  here: string;
  /** Groups that this browser folds. The group of the page is open all the same. */
  folded: readonly string[];
}

/** Links to the pages of a project. */
export function Sections({ ui, shell, here, folded }: SectionsProps) {
  const { project: { id }, viewId, failingSchedules } = shell;
  const hrefOf = (section: Section) =>
    section === "templates" ? paths.templates(id, viewId) : paths.section(id, section);
  const current = sectionOf(here);
  const isCurrent = ({ section, also = [] }: SectionEntry) =>
    current !== null && [section, ...also].includes(current);
  const link = (entry: SectionEntry, n = 0) => (
    <Entry
      key={n}
      icon={entry.icon}
      href={ui.href(hrefOf(entry.section))}
      section={entry.section}
      current={isCurrent(entry)}
    >
      {ui.t(`sections.${entry.section}`)}
      {entry.section === "schedules" && <FailingMark ui={ui} count={failingSchedules} />}
    </Entry>
  );
  const mayManage = may(shell, "manage_resources");
  return (
    <nav
      aria-label={shell.project.name}
      data-cookie={FOLDED_COOKIE}
      data-cookie-path={ui.href("/")}
    >
      <ul>{link(DASHBOARD)}</ul>
      {Object.entries(GROUPS).map(([group, entries], n) => (
        <details
          key={n}
          class="reveal"
          id={`drawer-${group}`}
          open={!folded.includes(group) || entries.some(isCurrent)}
          data-fold={group}
        >
          <summary>{ui.t(`shell.groups.${group}`)}</summary>
          <ul>{entries.filter(({ forManagers }) => !forManagers || mayManage).map(link)}</ul>
        </details>
      ))}
      <Rights ui={ui} permissions={shell.permissions} />
    </nav>
  );
}

interface WaysOutProps {
  ui: Ui;
  mayCreateProjects: boolean;
  here: string;
  last: Shell["project"] | undefined;
}

/** Links shown outside a project: back to the last project, or to create one. */
export function WaysOut({ ui, mayCreateProjects, last, here }: WaysOutProps) {
  return (
    <nav aria-label={ui.t("shell.projects")}>
      <ul>
        {last && (
          <Entry icon="back" href={ui.href(paths.project(last.id))} current={false}>
            {last.name}
          </Entry>
        )}
        <Entry icon="drift" href={ui.href(paths.allDrift())} current={here === paths.allDrift()}>
          {ui.t("sections.drift")}
        </Entry>
        {mayCreateProjects && (
          <Entry
            icon="plus"
            href={ui.href(paths.newProject())}
            current={here === paths.newProject()}
          >
            {ui.t("projects.new")}
          </Entry>
        )}
      </ul>
    </nav>
  );
}

interface EntryProps {
  icon: IconName;
  href: string;
  section?: Section;
  current: boolean;
  children: ComponentChildren;
}

export const Entry = ({ icon, href, section, current, children }: EntryProps) => (
  <li>
    <a href={href} aria-current={current ? "page" : undefined} data-section={section}>
      <Icon name={icon} />
      {children}
    </a>
  </li>
);

/** The number of failing schedules, beside the link to all schedules. */
export function FailingMark({ ui, count }: { ui: Ui; count: number }) {
  const text = ui.t("shell.failing", { count });
  return (
    <span id="failing-schedules" class="drawer-mark" title={count > 0 ? text : undefined}>
      {count > 0 && (
        <>
          <span aria-hidden="true">{ui.number(count)}</span>{" "}
          <span class="sr-only">{`(${text})`}</span>
        </>
      )}
    </span>
  );
}

/** Tells users who cannot change the project what they can do. */
function Rights({ ui, permissions }: { ui: Ui; permissions: number }) {
  if (!covers(RUN_PERMISSIONS, permissions)) return null;
  const [icon, key]: [IconName, string] = may({ permissions }, "run_tasks")
    ? ["play", "shell.may_run"]
    : ["lock", "shell.read_only"];
  return (
    <p class="drawer-note">
      <Icon name={icon} />
      {ui.t(key)}
    </p>
  );
}

/** Sections of pages whose path does not name their section. */
const BELONGS_TO: Record<string, Section> = {
  views: "templates",
  integration: "integrations",
  secret_storages: "keys",
  git_credentials: "repositories",
};

function sectionOf(here: string): Section | null {
  const [, , , section = "", , part] = here.split(/[?#]/)[0].split("/");
  if (part === "drift") return "drift";
  return BELONGS_TO[section] ?? (section as Section || null);
}
