import { z } from "zod";
import { toldSchema } from "../base/told.ts";

const CHANNELS = ["email", "telegram", "slack", "webhook"] as const;
export type ChannelKind = (typeof CHANNELS)[number];

/** Whether a channel can tell of a project: it is set up on the server, and knows where to. */
export interface ChannelState {
  channel: ChannelKind;
  state: "ready" | "no_target" | "missing";
}

/** What each channel said to a test message. */
export const testResultSchema = z.object({
  channel: z.enum(CHANNELS),
  ok: z.boolean(),
  /** Why it failed, in the channel's own words; null when it went well. */
  reason: toldSchema.nullable(),
});
export type TestResult = z.output<typeof testResultSchema>;
