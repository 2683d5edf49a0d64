import { resourceOperations } from "../common/operations.ts";
import * as z from "zod";
import { operation } from "../../access/operation.ts";
import {
  serverToolchainForm,
  serverToolchainSchema,
  toolchainBuildSchema,
  toolchainForm,
  toolchainSchema,
} from "./schema.ts";
import { toolchainService } from "./service.ts";
import {
  createServerToolchain,
  deleteServerToolchain,
  getServerToolchain,
  listServerToolchains,
  updateServerToolchain,
} from "./server.ts";
import { getBuild, startBuild } from "./builds.ts";

const tag = "Toolchains";
const serverPath = "/toolchains/{toolchainId}";

/** The toolchains of the server, which every project can choose. */
const serverOperations = [
  operation({
    id: "listServerToolchains",
    method: "GET",
    path: "/toolchains",
    tag,
    summary: "List the toolchains of the server",
    access: "admin",
    answer: z.array(serverToolchainSchema),
    run: ({ scope }) => listServerToolchains(scope),
  }),
  operation({
    id: "createServerToolchain",
    method: "POST",
    path: "/toolchains",
    tag,
    summary: "Create a toolchain of the server",
    access: "admin",
    body: serverToolchainForm,
    answer: serverToolchainSchema,
    run: ({ scope, body }) => createServerToolchain(scope, body),
  }),
  operation({
    id: "getServerToolchain",
    method: "GET",
    path: serverPath,
    tag,
    summary: "Get a toolchain of the server",
    access: "admin",
    answer: serverToolchainSchema,
    run: ({ scope, ids }) => getServerToolchain(scope, ids.toolchainId),
  }),
  operation({
    id: "updateServerToolchain",
    method: "PUT",
    path: serverPath,
    tag,
    summary: "Update a toolchain of the server",
    access: "admin",
    body: serverToolchainForm,
    run: ({ scope, ids, body, expected }) =>
      updateServerToolchain(scope, ids.toolchainId, body, expected),
  }),
  operation({
    id: "deleteServerToolchain",
    method: "DELETE",
    path: serverPath,
    tag,
    summary: "Delete a toolchain of the server",
    details: "Refused while a project uses it.",
    access: "admin",
    errors: [409],
    run: ({ scope, ids, expected }) => deleteServerToolchain(scope, ids.toolchainId, expected),
  }),
];

const ofBuild = {
  tag,
  details: "Builds of tasks are in the output of the tasks.",
  answer: toolchainBuildSchema,
} as const;
const ofStart = {
  tag,
  details: "Otherwise it is built when a task first needs it.",
  status: 204,
  errors: [409],
} as const;

/** Builds of the server's toolchains. */
const serverBuildOperations = [
  operation({
    ...ofBuild,
    id: "getServerToolchainBuild",
    method: "GET",
    path: `${serverPath}/build`,
    summary: "Get the last build of a toolchain of the server",
    access: "admin",
    run: ({ scope, ids }) => getBuild(scope, ids.toolchainId),
  }),
  operation({
    ...ofStart,
    id: "buildServerToolchain",
    method: "POST",
    path: `${serverPath}/build`,
    summary: "Start the build of a toolchain of the server",
    access: "admin",
    run: ({ scope, ids }) => startBuild(scope, ids.toolchainId),
  }),
];

const itsBuild = "/project/{projectId}/toolchains/{toolchainId}/build";

const buildOperations = [
  operation({
    ...ofBuild,
    id: "getToolchainBuild",
    method: "GET",
    path: itsBuild,
    summary: "Get the last build of a toolchain on this server",
    access: "member",
    run: ({ scope, ids }) => getBuild(scope, ids.toolchainId),
  }),
  operation({
    ...ofStart,
    id: "buildToolchain",
    method: "POST",
    path: itsBuild,
    summary: "Start the build of a toolchain on this server",
    access: "manage_resources",
    run: ({ scope, ids }) => startBuild(scope, ids.toolchainId),
  }),
];

const projectOperations = resourceOperations({
  names: ["Toolchain", "Toolchains"],
  nouns: ["a toolchain", "toolchains of a project"],
  path: "toolchains",
  param: "toolchainId",
  tag,
  body: toolchainForm,
  change: toolchainForm,
  answer: toolchainSchema,
  permission: "manage_resources",
  service: () => toolchainService,
  sort: ["name"],
  details: {
    list: "With those of the server, whose `project_id` is null.",
    delete: "Refused while a template, an inventory or the project uses it.",
  },
  errors: { delete: [409] },
});

export const toolchainOperations = [
  ...projectOperations,
  ...buildOperations,
  ...serverOperations,
  ...serverBuildOperations,
];
