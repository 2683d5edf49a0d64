import type { SentenceOrText } from "../base/sentence_or_text.ts";
import type { AlertMessage } from "./message.ts";
import type { AlertSettings } from "../base/alert_settings.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { ChannelKind } from "./schema.ts";

/** Result of one attempt. */
export type SendResult =
  | { ok: true; code?: number }
  /**
   * `retry` is false if trying again cannot help, as for a wrong token or an unknown chat. `code`
   * is the status of an HTTP answer, if there was one.
   */
  | { ok: false; reason: SentenceOrText; retry: boolean; code?: number };

/** Result for a channel that has lost its settings since. */
export const NOT_SET_UP: SendResult = {
  ok: false,
  reason: { key: "errors.alerts.not_set_up" },
  retry: false,
};

/** A way to notify people. */
export interface Channel {
  kind: ChannelKind;
  isSetUp(settings: AlertSettings): boolean;
  /**
   * Target of the messages of a project or the server; "" if the settings have all that is needed.
   * Without this function, each member is a target, as for mails.
   */
  target?(settings: AlertSettings, project: Pick<ProjectRow, "alert_chat">): string | null;
  /**
   * Sends the message to `target`: an address, a chat, or "" if the settings have all that is
   * needed.
   */
  send(settings: AlertSettings, target: string, message: AlertMessage): Promise<SendResult>;
}

/** Time limit of one attempt. */
export const SEND_MS_MAX = 15_000;
