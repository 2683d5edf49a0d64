import * as z from "zod";

/** Proxies close calls that take longer. */
const WAIT_SECONDS_MAX = 60;

/** Query of a call that may wait for an end. */
export const waitQuery = z.object({
  wait: z.coerce.number("errors.wait").int("errors.wait").min(0, "errors.wait").optional()
    .transform((seconds = 0) => Math.min(seconds, WAIT_SECONDS_MAX))
    .describe("Answer at its end, or after so many seconds, at most 60"),
});
