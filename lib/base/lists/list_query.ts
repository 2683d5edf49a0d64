import * as z from "zod";
import { asPlainNumber } from "../text/plain_number.ts";

/**
 * A number in the address of a page. Anything but a whole number from `min` on counts as not sent.
 */
export const listNumber = (min = 1) =>
  z.preprocess(asPlainNumber, z.number().int().min(min)).optional().catch(undefined);

/**
 * A filter with one or more of `values`, separated by commas. An empty filter counts as not sent.
 */
export const listChoices = <Value extends string>(values: readonly Value[], error: string) =>
  z.string().describe(`One or more of these, separated by commas: ${values.join(", ")}`)
    .transform((text, ctx): Value[] | undefined => {
      if (text === "") return undefined;
      const wanted = values.filter((value) => text.split(",").includes(value));
      if (text.split(",").every((word) => wanted.some((value) => value === word))) return wanted;
      ctx.addIssue({ code: "custom", message: error });
      return z.NEVER;
    })
    .optional();

/**
 * A filter of a list. An empty one counts as not sent. `error` is the message for an invalid one.
 */
export const listFilter = <Schema extends z.ZodType>(schema: Schema, error: string) =>
  z.union([z.literal("").transform(() => undefined), schema], { error }).optional();

/** Programs in Go write their largest number for "all". */
const HUGE = /^\d{16,30}$/;
const largest = (text: unknown) =>
  typeof text === "string" && HUGE.test(text) ? Number.MAX_SAFE_INTEGER : asPlainNumber(text);

/** A number in the query of a call, from `min` on. Some clients send "" or 0 for "not set". */
export const queryNumber = (min = 1) =>
  z.union([
    z.literal(min > 0 ? ["", "0"] : [""]).transform(() => undefined),
    z.preprocess(largest, z.number().int().min(min)),
  ], { error: "errors.integer" }).optional();

/** A switch in the query of a call; off if it is not sent. */
export const queryFlag = listFilter(
  z.stringbool("errors.boolean").meta({ type: "boolean" }),
  "errors.boolean",
).transform((value) => value ?? false);

/** Size of a page of a list: `limit`, or `count` as some clients call it. */
export const listSize = {
  limit: queryNumber().describe("Maximum number of entries to return"),
  count: queryNumber().describe("Another name for `limit`"),
};

/** The next page of a list. */
export const AFTER = "Continue after this entry, the last one of the previous page";
export const listAfter = queryNumber(0).describe(AFTER);
export const listBefore = queryNumber()
  .describe("Continue before this ID, the last one of the previous page");
export const listSkip = queryNumber(0).describe("Number of entries to skip");

/** Times between which tasks were created. */
const time = listFilter(z.iso.datetime({ offset: true }), "errors.time");
export const createdBetween = {
  from: time.describe("Only tasks created at this time or later"),
  to: time.describe("Only tasks created at this time or earlier"),
};

/** Days of a statistic. */
const day = listFilter(z.iso.date(), "errors.date");
export const daysBetween = {
  start: day.describe("The first day of the period, in UTC"),
  end: day.describe("The first day after the period, in UTC"),
};

export const templateOfTasks = queryNumber().describe("Only tasks of this template");
export const starterOfTasks = queryNumber().describe("Only tasks started by this user");
export const hostOfResults = z.string().max(1_000, "errors.too_long").optional()
  .describe("Only results of this host");

export const TO_SEARCH = "Text to search for";
/** Text that the entries of a list contain. */
export const listSearch = (lengthMax: number) =>
  z.string().trim().max(lengthMax, "errors.too_long").optional().default("").describe(TO_SEARCH);

/** The program whose rows a client wants. All of them are of Ansible. */
export const appFilter = z.string().max(100).optional()
  .describe("Only rows of this program: `ansible` for all, another one for none");

export const isForAnsible = (app: string | undefined) => !app || app === "ansible";

/** Returns a query string of all values that are not undefined. */
export function searchOf(query: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, String(one)])
    ),
  );
}
