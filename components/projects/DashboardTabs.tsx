import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { PageHeader } from "../ui/Page.tsx";
import { Tabs } from "../ui/Tabs.tsx";

const TABS = ["history", "runs", "activity", "settings"] as const;

interface DashboardTabsProps {
  ui: Ui;
  shell: Shell;
  current: (typeof TABS)[number];
}

/** The header of the pages about a project as a whole. */
export function DashboardTabs({ ui, shell, current }: DashboardTabsProps) {
  const shown = TABS.filter((tab) => tab !== "settings" || may(shell, "update_project"));
  return (
    <>
      <PageHeader title={ui.t("sections.history")} />
      <Tabs
        label={ui.t("sections.history")}
        tabs={shown.map((tab) => ({
          label: ui.t(`dashboard.${tab}`),
          href: ui.href(paths.section(shell.project.id, tab)),
          current: tab === current,
        }))}
      />
    </>
  );
}
