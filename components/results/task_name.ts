import { visible } from "@/lib/i18n/visible.ts";
import type { PlayTask } from "@/lib/results/schema.ts";

/** Name of an Ansible task as Ansible announces it: "nginx : Install the package". */
export const taskName = ({ role, name, action }: Pick<PlayTask, "role" | "name" | "action">) => {
  const own = visible(name || action);
  return role && !own.startsWith(`${role} : `) ? `${visible(role)} : ${own}` : own;
};
