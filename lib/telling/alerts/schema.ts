import { z } from "zod";

/** What each channel said to a test message. */
export const testResultSchema = z.object({
  channel: z.enum(["email", "telegram", "slack", "webhook"]),
  ok: z.boolean(),
  /** Why it failed, in the channel's own words; null when it went well. */
  reason: z.string().nullable(),
});
export type TestResult = z.output<typeof testResultSchema>;
