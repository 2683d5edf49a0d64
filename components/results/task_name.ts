import { visible } from "@/lib/i18n/visible.ts";
import type { PlayTask } from "@/lib/results/schema.ts";

/** A task as Ansible announces it: "nginx : Install the package". */
export const taskName = ({ role, name, action }: Pick<PlayTask, "role" | "name" | "action">) => {
  const own = visible(name || action);
  return role && !own.startsWith(`${role} : `) ? `${visible(role)} : ${own}` : own;
};
