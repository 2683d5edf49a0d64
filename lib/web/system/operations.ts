import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { appSchema, systemInfoSchema } from "./schema.ts";

const tag = "System";
const read = { method: "GET", tag } as const;
/** Tasks run only on the servers themselves. */
const noRunners = z.array(z.object({ id: z.int() }));
const noTags = z.array(z.object({ tag: z.string() }));
/** Refuses creation with a 403, because clients of newer servers skip what they get a 403 for. */
const refused = {
  method: "POST",
  tag,
  status: 403,
  errors: [403],
  answer: z.object({ error: z.string() }),
} as const;

export const systemOperations = {
  ping: operation({
    id: "ping",
    method: "GET",
    path: "/ping",
    tag,
    summary: "Check that the server answers",
    details: "Answers `pong` as plain text.",
    access: "public",
    answer: z.string(),
    contentType: "text/plain",
  }),
  info: operation({
    id: "getInfo",
    method: "GET",
    path: "/info",
    tag,
    summary: "Get the version and settings of the server",
    access: "user",
    answer: systemInfoSchema,
  }),
  apps: operation({
    ...read,
    id: "listApps",
    path: "/apps",
    summary: "List the programs that run templates",
    details: "Ansible is the only one.",
    access: "user",
    answer: z.array(appSchema),
  }),
  app: operation({
    ...read,
    id: "getApp",
    path: "/apps/{app}",
    summary: "Get a program that runs templates",
    access: "user",
    answer: appSchema,
  }),
  options: operation({
    ...read,
    id: "listOptions",
    path: "/options",
    summary: "List the settings changed through the API",
    details: "Always empty: settings are environment variables of the server.",
    access: "admin",
    answer: z.record(z.string(), z.string()),
  }),
  runners: operation({
    ...read,
    id: "listRunners",
    path: "/runners",
    summary: "List the remote runners",
    details: "Always empty: tasks run on the server.",
    access: "admin",
    answer: noRunners,
  }),
  projectRunners: operation({
    ...read,
    id: "listProjectRunners",
    path: "/project/{projectId}/runners",
    summary: "List the remote runners of a project",
    details: "Always empty: tasks run on the server.",
    access: "member",
    answer: noRunners,
  }),
  createRunner: operation({
    ...refused,
    id: "createRunner",
    path: "/runners",
    summary: "Create a remote runner",
    details: "Always refused: tasks run on the server.",
    access: "admin",
  }),
  createProjectRunner: operation({
    ...refused,
    id: "createProjectRunner",
    path: "/project/{projectId}/runners",
    summary: "Create a remote runner in a project",
    details: "Always refused: tasks run on the server.",
    access: "manage_resources",
  }),
  allRunnerTags: operation({
    ...read,
    id: "listAllRunnerTags",
    path: "/runner_tags",
    summary: "List the tags of all remote runners",
    details: "Always empty: tasks run on the server.",
    access: "admin",
    answer: noTags,
  }),
  runnerTags: operation({
    ...read,
    id: "listRunnerTags",
    path: "/project/{projectId}/runner_tags",
    summary: "List the tags of the remote runners of a project",
    details: "Always empty: tasks run on the server.",
    access: "member",
    answer: noTags,
  }),
};
