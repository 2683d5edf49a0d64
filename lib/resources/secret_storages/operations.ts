import { withExample } from "../../access/operation.ts";
import { resourceOperations } from "../common/operations.ts";
import { secretStorageForm, secretStorageSchema } from "./schema.ts";
import { secretStorageService } from "./service.ts";

export const secretStorageOperations = resourceOperations({
  names: ["SecretStorage", "SecretStorages"],
  nouns: ["a secret storage", "secret storages of a project"],
  path: "secret_storages",
  param: "storageId",
  tag: "Key store",
  body: secretStorageForm,
  change: withExample(secretStorageForm, { wait_seconds: 120 }),
  answer: secretStorageSchema,
  permission: "manage_keys",
  service: () => secretStorageService,
  sort: ["name", "type"],
  details: {
    list: "Credentials are never returned.",
    get: "Credentials are never returned.",
    update:
      "A secret that is missing or empty stays. After a change of the address it is required.",
    delete: "Refused while something uses it.",
  },
  errors: { update: [403], create: [403], delete: [409] },
});
