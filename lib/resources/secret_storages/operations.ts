import { operation } from "../../access/operation.ts";
import { resourceOperations } from "../common/operations.ts";
import {
  secretStorageForm,
  secretStorageSchema,
  storageTestForm,
  storageTestSchema,
} from "./schema.ts";

export const secretStorageOperations = {
  ...resourceOperations({
    names: ["SecretStorage", "SecretStorages"],
    nouns: ["a secret storage", "secret storages of a project"],
    path: "secret_storages",
    param: "storageId",
    tag: "Key store",
    body: secretStorageForm,
    change: secretStorageForm,
    answer: secretStorageSchema,
    sort: ["name", "type"],
    details: {
      list: "Credentials are never returned.",
      get: "Credentials are never returned.",
      update:
        "A secret that is missing or empty stays. After a change of the address it is required.",
      delete: "Refused while something uses it.",
    },
    errors: { update: [403], create: [403], delete: [409] },
  }),
  test: operation({
    id: "testSecretStorage",
    method: "POST",
    path: "/project/{projectId}/secret_storages/{storageId}/test",
    access: "manage_resources",
    tag: "Key store",
    summary: "List the names of values in a secret storage",
    details: "The server reads a path and returns the names of its values, without the values.",
    body: storageTestForm,
    answer: storageTestSchema,
    status: 200,
    errors: [429],
  }),
};
