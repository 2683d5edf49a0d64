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
/** What runs templates; the pages of other products build their menus from it. */
export const appSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** A name of Material Design Icons, without "mdi-". */
  icon: z.string(),
  color: z.string(),
  dark_color: z.string(),
  active: z.boolean(),
  priority: z.int(),
  path: z.string(),
  args: z.array(z.string()),
});
/** What the API answers. */
export type App = z.output<typeof appSchema>;

/** What the API answers. */
export type SystemInfo = z.output<typeof systemInfoSchema>;
