import * as z from "zod";
import { asPlainNumber } from "../base/text/plain_number.ts";

/** Proxies close calls that take longer. */
const WAIT_SECONDS_MAX = 60;

const waitSeconds = z.preprocess(
  asPlainNumber,
  z.number("errors.wait").int("errors.wait").min(0, "errors.wait").optional(),
).transform((seconds = 0) => Math.min(seconds, WAIT_SECONDS_MAX));

/** Query of a call that may wait for an end. */
export const waitQuery = z.object({
  wait: waitSeconds.describe("Answer at its end, or after so many seconds, at most 60"),
});

/** Query of a start that may wait for its first task. */
export const waitForTaskQuery = z.object({
  wait: waitSeconds.describe("Answer with `root_task_id`, or after so many seconds, at most 60"),
});
