import { operation } from "../access/operation.ts";
import { hostsSchema, namesSchema, playbookQuery } from "./schema.ts";

const asked = {
  method: "GET",
  access: "manage_resources",
  tag: "Repositories",
  answer: namesSchema,
  errors: [422, 429],
} as const;

/** Calls that ask the repository itself, as a task would, with the stored key. */
export const connectionTestOperations = {
  branches: operation({
    ...asked,
    id: "listBranches",
    path: "/project/{projectId}/repositories/{repositoryId}/branches",
    summary: "List the branches of a repository",
    details: "Ordered by name, at most 1,000. The server asks the repository with the stored key.",
  }),
  playbooks: operation({
    ...asked,
    id: "listPlaybooks",
    path: "/project/{projectId}/repositories/{repositoryId}/playbooks",
    summary: "List the playbooks of a repository",
    details: "Paths in the latest commit of a branch, at most 1,000.",
    query: playbookQuery,
  }),
  hosts: operation({
    ...asked,
    tag: "Inventory",
    answer: hostsSchema,
    id: "listInventoryHosts",
    path: "/project/{projectId}/inventory/{inventoryId}/hosts",
    summary: "List the hosts of an inventory",
    details: "Groups and hosts as Ansible reads them, at most 5,000 hosts.",
  }),
};
