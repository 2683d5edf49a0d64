import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { TOKEN_SCOPES } from "../../model/token_limits.ts";
import { appSchema, systemInfoSchema } from "./schema.ts";
import { getApp, listApps, listOptions, systemInfo } from "./service.ts";

const tag = "System";
const read = { method: "GET", tag } as const;

export const systemOperations = [
  operation({
    id: "ping",
    method: "GET",
    path: "/ping",
    tag,
    summary: "Check that the server answers",
    details: "Answers `pong` as plain text.",
    access: "public",
    answer: z.string(),
    contentType: "text/plain",
    run: () => new Response("pong"),
  }),
  operation({
    id: "getInfo",
    method: "GET",
    path: "/info",
    tag,
    summary: "Get the version and settings of the server",
    access: "user",
    scopes: TOKEN_SCOPES,
    forProjectTokens: true,
    answer: systemInfoSchema,
    run: ({ scope }) => systemInfo(scope.deps),
  }),
  operation({
    ...read,
    id: "listApps",
    path: "/apps",
    summary: "List the programs that run templates",
    details: "Ansible is the only one.",
    access: "user",
    answer: z.array(appSchema),
    run: () => listApps(),
  }),
  operation({
    ...read,
    id: "getApp",
    path: "/apps/{app}",
    summary: "Get a program that runs templates",
    access: "user",
    answer: appSchema,
    run: ({ params }) => getApp(params.app),
  }),
  operation({
    ...read,
    id: "listOptions",
    path: "/options",
    summary: "List the settings changed through the API",
    details: "Always empty: settings are environment variables of the server.",
    access: "admin",
    answer: z.record(z.string(), z.string()),
    run: ({ scope }) => listOptions(scope),
  }),
];
