import * as z from "zod";
import { operationWith } from "../../access/operation.ts";
import { jobCountsSchema, setAsideQuery, setAsideSchema } from "./schema.ts";
import { discardJob, listJobs, listSetAside, retryJob, type WorkDeps } from "./service.ts";
import { paged } from "../../access/answer.ts";

const operation = operationWith<WorkDeps>();
const tag = "System";

export const jobOperations = [
  operation({
    id: "listJobs",
    method: "GET",
    path: "/jobs",
    tag,
    summary: "List the kinds of background work",
    details: "Each number is counted up to 1,000, which stands for more, too.",
    access: "admin",
    answer: z.array(jobCountsSchema),
    run: ({ scope }) => listJobs(scope),
  }),
  operation({
    id: "listSetAsideJobs",
    method: "GET",
    path: "/jobs/set_aside",
    tag,
    summary: "List the background work that was set aside",
    details: "Latest first. Its last attempt has failed, and no further one follows automatically.",
    access: "admin",
    query: setAsideQuery,
    answer: z.array(setAsideSchema),
    async run({ scope, query }) {
      const { jobs, hasNext } = await listSetAside(scope, query);
      return paged(jobs, hasNext, () => ({ skip: query.skip + query.limit }));
    },
  }),
  operation({
    id: "retryJob",
    method: "POST",
    path: "/jobs/{id}/retry",
    tag,
    summary: "Start background work again that was set aside",
    details: "It is due now, and has all of its attempts again.",
    access: "admin",
    status: 204,
    errors: [404, 409],
    run: ({ scope, params }) => retryJob(scope, params.id),
  }),
  operation({
    id: "discardJob",
    method: "DELETE",
    path: "/jobs/{id}",
    tag,
    summary: "Delete background work that was set aside",
    access: "admin",
    errors: [404],
    run: ({ scope, params }) => discardJob(scope, params.id),
  }),
];
