import * as z from "zod";
import { resourceOperations } from "../common/operations.ts";
import { KEY_TYPES, keyChangeForm, keyForm, keySchema, type KeyView } from "./schema.ts";
import { keyService } from "./service.ts";
import { listFilter } from "../../base/lists/list_query.ts";

/** Filters of a list of keys. */
const keyFilter = z.object({
  type: listFilter(z.enum(KEY_TYPES).describe("Only keys of this type"), "errors.unknown_type"),
});

const filterKeys = (all: KeyView[], { type }: z.output<typeof keyFilter>): KeyView[] =>
  type ? all.filter((key) => key.type === type) : all;

export const keyOperations = resourceOperations({
  names: ["Key", "Keys"],
  nouns: ["a key", "keys of a project"],
  path: "keys",
  param: "keyId",
  tag: "Key store",
  body: keyForm,
  change: keyChangeForm,
  answer: keySchema,
  permission: "manage_keys",
  service: () => keyService,
  filter: { query: keyFilter, queryNames: { "Key type": "type" }, apply: filterKeys },
  sort: ["name", "type"],
  details: {
    list: "Secrets are never returned.",
    get: "Secrets are never returned.",
    update: "Type and secret are only replaced with `override_secret`.",
    delete: "Refused while something uses it.",
  },
  errors: { update: [409], delete: [409] },
});
