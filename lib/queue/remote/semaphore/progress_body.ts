import * as z from "zod";
import { TIME_MAX } from "../../../base/clock.ts";
import { invalidField } from "../../../base/errors.ts";
import { parseJson, parseWith } from "../../../base/parse.ts";
import { createPause } from "../../../base/pause.ts";
import { STATUSES } from "../../../model/status.ts";

/** Statuses of Semaphore's tasks: ours and one more. A job that is about to begin has none yet. */
const JOB_STATUSES = [...STATUSES, "rejected", ""] as const;

/** A line of output. `sent` is its time as the runner wrote it, `time` in milliseconds. */
export interface SentRecord {
  time: number;
  sent: string;
  message: string;
}

export interface JobProgress {
  id: number;
  status: (typeof JOB_STATUSES)[number];
  records: SentRecord[];
  commit: { hash: string; message: string } | null;
}

/** Go writes the names of members as they are in its code, and reads them in any case. */
const anyCase = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]),
    );
  }, schema);

const progressSchema = anyCase(z.object({
  jobs: z.array(anyCase(z.object({
    id: z.int().positive(),
    status: z.enum(JOB_STATUSES),
    /** Each is checked by `readRecord`, because there may be many. */
    logrecords: z.array(z.unknown()).nullish(),
    commit: anyCase(z.object({ hash: z.string().max(100), message: z.string() })).nullish(),
  }))).max(1_000).nullish(),
}));

/** Reads the body of a progress report. Throws 400 if any part of it is invalid. */
export async function readJobs(text: string): Promise<JobProgress[]> {
  const { jobs } = parseWith(progressSchema, parseJson(text));
  const pause = createPause();
  const read: JobProgress[] = [];
  for (const { id, status, logrecords, commit } of jobs ?? []) {
    const records: SentRecord[] = [];
    for (const value of logrecords ?? []) {
      if (pause.isDue()) await pause.take();
      records.push(readRecord(value));
    }
    // Later tasks may pass it to git.
    const isCommit = commit && /^[0-9a-f]{7,64}$/i.test(commit.hash);
    read.push({ id, status, records, commit: isCommit ? commit : null });
  }
  return read;
}

function readRecord(value: unknown): SentRecord {
  const { time: sent, message } = (value ?? {}) as Record<string, unknown>;
  const time = typeof sent === "string" && sent.length <= 50 ? Date.parse(sent) : NaN;
  if (typeof sent !== "string" || typeof message !== "string" || !(time >= 0 && time <= TIME_MAX)) {
    throw invalidField("LogRecords", "errors.invalid");
  }
  return { time, sent, message };
}
