import * as z from "zod";
import { byteLength } from "../../base/fields.ts";

/** Maximum number of options of a person, and of bytes of each. Together they fit into one row. */
export const OPTIONS_MAX = 50;
const VALUE_BYTES_MAX = 1_000;

/** Something that a client notes about its user, such as the entries of a menu. */
export const userOption = z.object({
  key: z.string("errors.required").regex(/^[A-Za-z][\w.-]{0,99}$/, "errors.option_key"),
  value: z.string("errors.required").refine(
    (value) => byteLength(value) <= VALUE_BYTES_MAX,
    "errors.option_value",
  ),
}).meta({ example: { key: "nav.unpinnedItems", value: '["keys"]' } });
export type UserOption = z.output<typeof userOption>;

/** Values by their keys. */
export const userOptionsSchema = z.record(z.string(), z.string());
