import type { AlertEvent, TargetKind } from "@/lib/alerts/schema.ts";
import { settingsKind } from "@/lib/alerts/targets/settings_targets.ts";
import type { TargetView } from "@/lib/alerts/targets/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Names of services, which are the same in all languages. */
const SERVICES: Record<Exclude<TargetKind, "email" | "http">, string> = {
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
  mattermost: "Mattermost",
  rocketchat: "Rocket.Chat",
  telegram: "Telegram",
  ntfy: "ntfy",
  gotify: "Gotify",
  matrix: "Matrix",
  pushover: "Pushover",
  pagerduty: "PagerDuty",
  opsgenie: "Opsgenie",
};

/** Returns the name of a kind of target. */
export function kindName(ui: Ui, kind: TargetView["kind"]): string {
  if (kind === "email" || kind === "members") return ui.t("alerts.channel.email");
  if (kind === "webhook") return ui.t("alerts.channel.webhook");
  return kind === "http" ? ui.t("alert_targets.http") : SERVICES[kind];
}

/** Returns the name of a target. Those of the settings have none of their own. */
export const targetName = (ui: Ui, { name, kind }: Pick<TargetView, "name" | "kind">): string =>
  name || (kind === "members" ? ui.t("alert_targets.members") : kindName(ui, kind));

/** Returns the name of the target of the settings with this id, which may not be set up. */
export function settingsTargetName(ui: Ui, id: number): string {
  const kind = settingsKind(id);
  return kind ? targetName(ui, { name: "", kind }) : "";
}

/** Groups in which people choose events, by their headings. */
const EVENT_GROUPS: Record<string, readonly AlertEvent[]> = {
  "alert_events.groups.tasks": ["failed", "recovered", "succeeded", "waiting", "changed"],
  "sections.hosts": ["drifted", "back_to_normal"],
  "alert_events.groups.operation": [
    "runner_lost",
    "schedule_missed",
    "certificate_expiring",
    "account_locked",
    "backup_too_old",
  ],
};

/** Returns the groups that have some of these events, each with its heading. */
export const eventGroups = (ui: Ui, events: readonly AlertEvent[]) =>
  Object.entries(EVENT_GROUPS).map(([heading, all]) => ({
    label: ui.t(heading),
    options: events.filter((event) => all.includes(event))
      .map((value) => ({ value, label: ui.t(`alert_events.${value}`) })),
  })).filter(({ options }) => options.length > 0);
