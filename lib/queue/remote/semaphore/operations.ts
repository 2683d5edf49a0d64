import * as z from "zod";
import { operation } from "../../../access/operation.ts";
import { lineField } from "../../../base/fields.ts";

const tag = "Runners";
const access = "public" as const;
const path = "/internal/runners";
const own = "For runners of Semaphore only, with their token in `X-Runner-Token`.";

export const registrationSchema = z.object({
  registration_token: z.string().max(500),
  name: lineField(1_000).nullish().transform((name) => name ?? ""),
  max_parallel_tasks: z.int().nullish().transform((count) => count ?? 0),
  /** Sent by versions between 2.12 and 2.18, empty unless they encrypt with it. */
  public_key: z.string().nullish(),
});

const answerSchema = z.object({ terminated_jobs: z.array(z.int()) });

const jobsSchema = z.object({
  CurrentJobs: z.array(z.object({ id: z.int(), status: z.string() })),
  new_jobs: z.array(z.looseObject({})),
  access_keys: z.record(z.string(), z.looseObject({})),
});

/** Calls of Semaphore's own runners. They check the tokens of their callers. */
export const semaphoreRunnerOperations = {
  register: operation({
    id: "registerSemaphoreRunner",
    method: "POST",
    path,
    tag,
    summary: "Register a Semaphore runner with its registration token",
    details: "Semaphore's runners are accepted only with `CALLBOARD_SEMAPHORE_RUNNERS=true`, and" +
      " only through TLS, because their calls have unencrypted secrets.",
    access,
    body: registrationSchema,
    bodyBytesMax: 64 * 1024,
    answer: z.object({ token: z.string() }),
    status: 200,
    errors: [400, 403, 409, 429],
  }),
  poll: operation({
    id: "pollForSemaphoreJobs",
    method: "GET",
    path,
    tag,
    summary: "Get the jobs of a Semaphore runner",
    details: own,
    access,
    isUnsafe: true,
    answer: jobsSchema,
    errors: [401, 403, 404, 409],
  }),
  report: operation({
    id: "reportSemaphoreJobs",
    method: "PUT",
    path,
    tag,
    summary: "Add output and statuses to the jobs of a Semaphore runner",
    details: own + " The answer is empty unless jobs must be killed.",
    access,
    answer: answerSchema,
    status: 200,
    errors: [400, 401, 403, 404, 409, 413],
  }),
  unregister: operation({
    id: "unregisterSemaphoreRunner",
    method: "DELETE",
    path,
    tag,
    summary: "Revoke the token of a Semaphore runner",
    details: own,
    access,
    errors: [401, 403, 404],
  }),
};
