import type { AlertSettings } from "../../base/settings/alert_settings.ts";
import type { Config } from "../../base/settings/config.ts";
import { type AnyKind, type Channel, CHANNELS } from "../schema.ts";
import type { TargetRow } from "./rows.ts";

interface Definition {
  kind: AnyKind;
  isSetUp(settings: AlertSettings): boolean;
  /** Values of the fields of its kind, for a message to `to`. */
  values?(settings: AlertSettings, to: string): Record<string, string | null>;
}

const DEFINITIONS: Record<Channel, Definition> = {
  email: { kind: "members", isSetUp: ({ smtpUrl }) => smtpUrl !== null },
  telegram: {
    kind: "telegram",
    isSetUp: ({ telegramToken }) => telegramToken !== null,
    values: ({ telegramToken: token, telegramUrl: server }, chat) => ({ token, server, chat }),
  },
  slack: {
    kind: "slack",
    isSetUp: ({ slackUrl }) => slackUrl !== null,
    values: ({ slackUrl: url }) => ({ url }),
  },
  webhook: {
    kind: "webhook",
    isSetUp: ({ webhookUrl }) => webhookUrl !== null,
    values: ({ webhookUrl: url, webhookSecret: signing_secret }) => ({ url, signing_secret }),
  },
};

/** Returns the name of a target that the settings define; null for other targets. */
export const channelOf = (id: number): Channel | null => CHANNELS[-id - 1] ?? null;

/** Returns the kind of such a target, even if it is not set up. */
export function settingsKind(id: number): AnyKind | null {
  const channel = channelOf(id);
  return channel && DEFINITIONS[channel].kind;
}

/** Returns the id of the target that the settings define under a name; null for another name. */
export function channelId(name: string): number | null {
  const names: readonly string[] = CHANNELS;
  return names.includes(name) ? -names.indexOf(name) - 1 : null;
}

/** Id of the mails to members of a project, or to administrators. */
export const MEMBERS_ID = -1;

/** Returns the targets of the server that its settings define. */
export const settingsTargets = (config: Pick<Config, "alerts">): TargetRow[] =>
  CHANNELS.flatMap((_, at) => settingsTarget(config, -at - 1) ?? []);

/** Returns a target that the settings define; null if they do not. */
export function settingsTarget({ alerts }: Pick<Config, "alerts">, id: number): TargetRow | null {
  const channel = channelOf(id);
  if (channel === null || !DEFINITIONS[channel].isSetUp(alerts)) return null;
  return {
    id,
    project_id: 0,
    name: "",
    kind: DEFINITIONS[channel].kind,
    language: "en",
    active: true,
    allow_private: true,
    settings: {},
    sealed: null,
    secrets: [],
    host: "",
    failures: 0,
    paused: null,
  };
}

/** Returns the values of the fields of such a target, for a message to `to`. */
export const settingsValues = (
  { alerts }: Pick<Config, "alerts">,
  id: number,
  to: string,
): Record<string, string | null> => DEFINITIONS[channelOf(id)!].values?.(alerts, to) ?? {};
