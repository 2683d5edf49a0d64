import * as z from "zod";

export const systemInfoSchema = z.object({
  version: z.string(),
  /** Output of `ansible-playbook --version`; empty if Ansible is not installed. */
  ansible: z.string(),
  /** Public URL; empty if it is not configured. */
  web_host: z.string(),
  use_remote_runner: z.boolean(),
  login_with_password: z.boolean(),
  /** Further steps of signing in with calls of their own. Codes are sent with the password. */
  auth_methods: z.object({}),
  /** The program that reads repositories. */
  git_client: z.literal("cmd_git"),
  /** Features that clients show only where the server has them. */
  features: z.object({ workflows: z.boolean() }),
  /** Time zone of schedules that do not set one. */
  schedule_timezone: z.string(),
});
/** A program that runs templates. The pages of other products build their menus from it. */
export const appSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Name of an icon of Material Design Icons, without "mdi-". */
  icon: z.string(),
  color: z.string(),
  dark_color: z.string(),
  active: z.boolean(),
  priority: z.int(),
  path: z.string(),
  args: z.array(z.string()),
});
export type App = z.output<typeof appSchema>;

export type SystemInfo = z.output<typeof systemInfoSchema>;
