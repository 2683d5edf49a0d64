import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { jobCountsSchema, setAsideQuery, setAsideSchema } from "./schema.ts";

const tag = "System";

export const jobOperations = {
  list: operation({
    id: "listJobs",
    method: "GET",
    path: "/jobs",
    tag,
    summary: "List the kinds of background work",
    details: "Each number is counted up to 1,000, which stands for more, too.",
    access: "admin",
    answer: z.array(jobCountsSchema),
  }),
  listSetAside: operation({
    id: "listSetAsideJobs",
    method: "GET",
    path: "/jobs/set_aside",
    tag,
    summary: "List the background work that was set aside",
    details: "Latest first. Its last attempt has failed, and no further one follows automatically.",
    access: "admin",
    query: setAsideQuery,
    answer: z.array(setAsideSchema),
  }),
  retry: operation({
    id: "retryJob",
    method: "POST",
    path: "/jobs/{id}/retry",
    tag,
    summary: "Start background work again that was set aside",
    details: "It is due now, and has all of its attempts again.",
    access: "admin",
    status: 204,
    errors: [404, 409],
  }),
  discard: operation({
    id: "discardJob",
    method: "DELETE",
    path: "/jobs/{id}",
    tag,
    summary: "Delete background work that was set aside",
    access: "admin",
    errors: [404],
  }),
};
