import { z } from "zod";

const CHANNELS = ["email", "telegram", "slack", "webhook"] as const;
export type ChannelKind = (typeof CHANNELS)[number];

/** What each channel said to a test message. */
export const testResultSchema = z.object({
  channel: z.enum(CHANNELS),
  ok: z.boolean(),
  /** Why it failed, in the channel's own words; null when it went well. */
  reason: z.string().nullable(),
});
export type TestResult = z.output<typeof testResultSchema>;
