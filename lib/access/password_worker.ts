/// <reference lib="deno.worker" />
import { type PasswordJob, runPasswordJob } from "./password_job.ts";

self.onmessage = async ({ data }: MessageEvent<PasswordJob>) => {
  self.postMessage(await runPasswordJob(data));
};
