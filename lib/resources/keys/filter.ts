import * as z from "zod";
import { listFilter } from "../../base/lists/list_query.ts";
import { KEY_TYPES, type KeyView } from "./schema.ts";

/** Filters of a list of keys. */
export const keyFilter = z.object({
  type: listFilter(z.enum(KEY_TYPES).describe("Only keys of this type"), "errors.unknown_type"),
});

export const filterKeys = (all: KeyView[], { type }: z.output<typeof keyFilter>): KeyView[] =>
  type ? all.filter((key) => key.type === type) : all;
