import { storageTestForm, storageTestSchema } from "../resources/secret_storages/schema.ts";
import { testSecretStorage } from "./secret_storages.ts";
import { operation } from "../access/operation.ts";
import { hostsSchema, namesSchema, playbookQuery } from "./schema.ts";
import { inventoryHosts, listBranches, repositoryChoices } from "./service.ts";

const asked = {
  method: "GET",
  access: "manage_resources",
  tag: "Repositories",
  answer: namesSchema,
  errors: [422, 429],
} as const;

/** Calls that ask the repository itself, as a task would, with the stored key. */
export const connectionTestOperations = [
  operation({
    ...asked,
    id: "listBranches",
    path: "/project/{projectId}/repositories/{repositoryId}/branches",
    summary: "List the branches of a repository",
    details: "Ordered by name, at most 1,000. The server asks the repository with the stored key.",
    run: ({ scope, ids }) => listBranches(scope, ids.repositoryId),
  }),
  operation({
    ...asked,
    id: "listPlaybooks",
    path: "/project/{projectId}/repositories/{repositoryId}/playbooks",
    summary: "List the playbooks of a repository",
    details: "Paths in the latest commit of a branch, at most 1,000.",
    query: playbookQuery,
    run: async ({ scope, ids, query }) =>
      (await repositoryChoices(scope, ids.repositoryId, query.branch || null)).playbooks,
  }),
  operation({
    ...asked,
    tag: "Inventory",
    answer: hostsSchema,
    id: "listInventoryHosts",
    path: "/project/{projectId}/inventory/{inventoryId}/hosts",
    summary: "List the hosts of an inventory",
    details: "Groups and hosts as Ansible reads them, at most 5,000 hosts.",
    run: ({ scope, ids }) => inventoryHosts(scope, ids.inventoryId),
  }),
];

/** The server asks the storage, as a task would. */
export const storageTestOperations = [
  operation({
    id: "testSecretStorage",
    method: "POST",
    path: "/project/{projectId}/secret_storages/{storageId}/test",
    access: "manage_keys",
    tag: "Key store",
    summary: "List the names of values in a secret storage",
    details: "The server reads a path and returns the names of its values, without the values.",
    body: storageTestForm,
    answer: storageTestSchema,
    status: 200,
    errors: [429],
    run: ({ scope, ids, body }) => testSecretStorage(scope, ids.storageId, body.path),
  }),
];
