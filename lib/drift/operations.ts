import * as z from "zod";
import { operation } from "../access/operation.ts";
import {
  acceptDriftForm,
  driftQuery,
  driftStatsQuery,
  driftStatsSchema,
  hostDriftSchema,
  unacceptDriftForm,
} from "./schema.ts";

const tag = "Drift";

const list = { tag, method: "GET", access: "member", query: driftQuery } as const;

export const driftOperations = {
  list: operation({
    ...list,
    id: "listDrift",
    path: "/project/{projectId}/drift",
    summary: "List the drift of the hosts of a project",
    details:
      "One row per host and template, worst first, or by host with `sort=host`. `would_change` " +
      "leaves out differences that someone has accepted, which `accepted` selects. Continue with " +
      "`after`, the `cursor` of a row.",
    answer: z.array(hostDriftSchema),
  }),
  stats: operation({
    id: "getDriftStats",
    method: "GET",
    path: "/project/{projectId}/drift/stats",
    tag,
    summary: "Get the drift statistics of a project",
    details: "Lists the checked templates by ID, at most 200. Continue with `after`, an ID.",
    access: "member",
    query: driftStatsQuery,
    answer: driftStatsSchema,
  }),
  csv: operation({
    ...list,
    id: "exportDrift",
    path: "/project/{projectId}/drift.csv",
    summary: "Download the drift of the hosts of a project as CSV",
    details: "Contains all matching rows. `limit` and `after` are ignored.",
    answer: z.string(),
    contentType: "text/csv",
  }),
  accept: operation({
    id: "acceptDrift",
    method: "POST",
    path: "/project/{projectId}/templates/{templateId}/drift/accept",
    tag,
    summary: "Accept the differences of hosts until a given time",
    details: "The acceptance also ends when a later check finds another change.",
    access: "run_tasks",
    body: acceptDriftForm,
    status: 204,
    errors: [409],
  }),
  unaccept: operation({
    id: "unacceptDrift",
    method: "POST",
    path: "/project/{projectId}/templates/{templateId}/drift/unaccept",
    tag,
    summary: "Stop accepting the differences of hosts",
    access: "run_tasks",
    body: unacceptDriftForm,
    status: 204,
  }),
  forget: operation({
    id: "forgetDrift",
    method: "DELETE",
    path: "/project/{projectId}/templates/{templateId}/drift/{host}",
    tag,
    summary: "Delete the state of a host for a template",
    details: "The next check that reaches the host creates it again.",
    access: "manage_resources",
  }),
};
