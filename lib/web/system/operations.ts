import { z } from "zod";
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
    summary: "Whether the server answers: `pong`, as text",
    access: "public",
    answer: z.string(),
    contentType: "text/plain",
  }),
  info: operation({
    id: "getInfo",
    method: "GET",
    path: "/info",
    tag,
    summary: "Version and settings of the server",
    access: "user",
    answer: systemInfoSchema,
  }),
  apps: operation({
    ...read,
    id: "listApps",
    path: "/apps",
    summary: "What runs templates: Ansible",
    access: "user",
    answer: z.array(appSchema),
  }),
  app: operation({
    ...read,
    id: "getApp",
    path: "/apps/{app}",
    summary: "One of what runs templates",
    access: "user",
    answer: appSchema,
  }),
  options: operation({
    ...read,
    id: "listOptions",
    path: "/options",
    summary: "Settings that were changed by the API: none, they are the server's environment",
    access: "admin",
    answer: z.record(z.string(), z.string()),
  }),
  runners: operation({
    ...read,
    id: "listRunners",
    path: "/runners",
    summary: "Remote runners: none",
    access: "admin",
    answer: noRunners,
  }),
  projectRunners: operation({
    ...read,
    id: "listProjectRunners",
    path: "/project/{projectId}/runners",
    summary: "A project's remote runners: none",
    access: "member",
    answer: noRunners,
  }),
  createRunner: operation({
    ...refused,
    id: "createRunner",
    path: "/runners",
    summary: "Create a remote runner: always refused",
    access: "admin",
  }),
  createProjectRunner: operation({
    ...refused,
    id: "createProjectRunner",
    path: "/project/{projectId}/runners",
    summary: "Create a project's remote runner: always refused",
    access: "manage_resources",
  }),
  allRunnerTags: operation({
    ...read,
    id: "listAllRunnerTags",
    path: "/runner_tags",
    summary: "Tags of all remote runners: none",
    access: "admin",
    answer: noTags,
  }),
  runnerTags: operation({
    ...read,
    id: "listRunnerTags",
    path: "/project/{projectId}/runner_tags",
    summary: "Tags of a project's remote runners: none",
    access: "member",
    answer: noTags,
  }),
};
