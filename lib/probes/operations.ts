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
export const probeOperations = {
  branches: operation({
    ...asked,
    id: "listBranches",
    path: "/project/{projectId}/repositories/{repositoryId}/branches",
    summary: "The repository's branches, by name: at most 1,000",
  }),
  playbooks: operation({
    ...asked,
    id: "listPlaybooks",
    path: "/project/{projectId}/repositories/{repositoryId}/playbooks",
    summary: "Paths of the playbooks in a branch's newest commit: at most 1,000",
    query: playbookQuery,
  }),
  hosts: operation({
    ...asked,
    tag: "Inventory",
    answer: hostsSchema,
    id: "listInventoryHosts",
    path: "/project/{projectId}/inventory/{inventoryId}/hosts",
    summary: "Groups and hosts of an inventory, as Ansible reads it: at most 5,000 hosts",
  }),
};
