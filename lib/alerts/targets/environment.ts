import type { Config } from "../../base/config.ts";
import { channels } from "../channels.ts";
import { CHAT_LANGUAGE } from "../recipients.ts";
import { type ChannelKind, CHANNELS } from "../schema.ts";
import type { TargetView } from "./schema.ts";

/** Returns the channel of a target that the environment defines; null for other targets. */
export const channelOf = (id: number): ChannelKind | null => CHANNELS[-id - 1] ?? null;

/** Returns the id of the target that a channel of the environment is; null for another name. */
export function channelId(name: string): number | null {
  const names: readonly string[] = CHANNELS;
  return names.includes(name) ? -names.indexOf(name) - 1 : null;
}

/**
 * Returns the channels of the environment as targets. Their ids are below 0, so that rules can name
 * them. Mails go to members who want alerts.
 */
export const environmentTargets = ({ alerts }: Pick<Config, "alerts">): TargetView[] =>
  CHANNELS.flatMap((kind, at) =>
    channels[kind].isSetUp(alerts)
      ? [{
        id: -at - 1,
        project_id: null,
        name: "",
        kind,
        language: CHAT_LANGUAGE,
        active: true,
        allow_private: true,
        settings: {},
        secrets: [],
        host: "",
        from_environment: true,
        failures: 0,
        paused: null,
        paused_reason: null,
      }]
      : []
  );
