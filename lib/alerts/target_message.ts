import type { AlertMessage } from "./message.ts";
import type { AlertEvent } from "./schema.ts";

/** A message for a target, with what services need beside its text. */
export interface TargetMessage extends AlertMessage {
  event: AlertEvent | "digest" | "test";
  /** Equal for messages about the same thing, so that a service can close what it has opened. */
  story: string;
}

/** Whether the message says that what an earlier one reported is over. */
export const isOver = ({ mood }: Pick<TargetMessage, "mood">): boolean => mood === "good";
