import { resourceOperations } from "../resources/operations.ts";
import { keyChangeForm, keyForm, keySchema } from "./schema.ts";

export const keyOperations = resourceOperations({
  names: ["Key", "Keys"],
  path: "keys",
  param: "keyId",
  tag: "Key store",
  body: keyForm,
  change: keyChangeForm,
  answer: keySchema,
  sort: ["name", "type"],
  summaries: {
    list: "The project's keys, without their secrets",
    create: "Store a new key",
    get: "One key, without its secret",
    update: "Rename a key; with override_secret replace its type and secret",
    delete: "Delete a key that nothing uses",
    references: "What uses a key, and so keeps it from being deleted",
  },
  errors: { update: [409], delete: [409] },
});
