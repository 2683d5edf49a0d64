import { resourceOperations } from "../common/operations.ts";
import { filterKeys, keyFilter } from "./filter.ts";
import { keyChangeForm, keyForm, keySchema } from "./schema.ts";
import { keyService } from "./service.ts";

export const keyOperations = resourceOperations({
  names: ["Key", "Keys"],
  nouns: ["a key", "keys of a project"],
  path: "keys",
  param: "keyId",
  tag: "Key store",
  body: keyForm,
  change: keyChangeForm,
  answer: keySchema,
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
