import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Tabs } from "../ui/Tabs.tsx";

interface KeyTabsProps {
  ui: Ui;
  projectId: number;
  current: "keys" | "known_hosts" | "host_authorities" | "secret_storages";
}

/** The Key Store: its keys, the hosts that they may be offered to, and other places of secrets. */
export function KeyTabs({ ui, projectId, current }: KeyTabsProps) {
  const tab = (name: KeyTabsProps["current"], label: string, path: string) => ({
    ...{ label, href: ui.href(path), current: name === current },
  });
  return (
    <Tabs
      label={ui.t("sections.keys")}
      tabs={[
        tab("keys", ui.t("references.keys"), paths.section(projectId, "keys")),
        tab("known_hosts", ui.t("known_hosts.title"), paths.knownHosts(projectId)),
        tab("host_authorities", ui.t("host_authorities.title"), paths.hostAuthorities(projectId)),
        tab(
          "secret_storages",
          ui.t("sections.secret_storages"),
          paths.section(projectId, "secret_storages"),
        ),
      ]}
    />
  );
}
