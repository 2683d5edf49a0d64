import type { SentenceOrText } from "../base/sentence_or_text.ts";

/** Result of one attempt. */
export type SendResult =
  | { ok: true; code?: number }
  /**
   * `retry` is false if trying again cannot help, as for a wrong token or an unknown chat. `code`
   * is the status of an HTTP answer, if there was one.
   */
  | { ok: false; reason: SentenceOrText; retry: boolean; code?: number };

/** Result for a target that was deleted, or has lost its settings since. */
export const NOT_SET_UP: SendResult = {
  ok: false,
  reason: { key: "errors.alerts.not_set_up" },
  retry: false,
};

/** Time limit of one attempt. */
export const SEND_MS_MAX = 15_000;
