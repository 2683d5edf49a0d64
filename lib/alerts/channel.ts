import type { Told } from "../base/told.ts";
import type { AlertMessage } from "./message.ts";
import type { AlertSettings } from "../base/alert_settings.ts";
import type { ProjectRow } from "../access/rows.ts";
import type { ChannelKind } from "./schema.ts";

/** How one attempt ended. */
export type SendResult =
  | { ok: true }
  /** `retry` is false when trying again cannot help: a wrong token, an unknown chat. */
  | { ok: false; reason: Told; retry: boolean };

/** A way to tell people. */
export interface Channel {
  kind: ChannelKind;
  isSetUp(settings: AlertSettings): boolean;
  /** Where a project's messages go, "" where the settings say it all; of mails, to each member. */
  target?(settings: AlertSettings, project: ProjectRow): string | null;
  /** Sends the message to `target`: an address, a chat, or nothing where the settings say it all. */
  send(settings: AlertSettings, target: string, message: AlertMessage): Promise<SendResult>;
}

/** Longest that an attempt may take. */
export const SEND_MS_MAX = 15_000;
