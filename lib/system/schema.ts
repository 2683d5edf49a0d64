import { z } from "zod";

export const systemInfoSchema = z.object({
  version: z.string(),
  /** What `ansible-playbook --version` said; empty when Ansible is not there. */
  ansible: z.string(),
  /** The public address; empty when the server was not told it. */
  web_host: z.string(),
  use_remote_runner: z.boolean(),
  /** The zone of schedules that name none. */
  schedule_timezone: z.string(),
});
/** What the API answers. */
export type SystemInfo = z.output<typeof systemInfoSchema>;
