import type { TaskRow } from "./schema.ts";
import { parseStrings } from "./start_form.ts";

export interface RunModes {
  /** Whether it only reports its changes without making them. */
  check: boolean;
  /** Whether it shows its changes. */
  diff: boolean;
}

/**
 * Returns the modes that a task's own settings choose. The `ansible.cfg` of a repository may choose
 * others.
 */
export function runModes(task: TaskRow): RunModes {
  const words = [task.template_arguments, task.arguments]
    .flatMap((text) => text ? parseStrings(text) ?? [] : []);
  const says = (option: RegExp) => words.some((word) => option.test(word));
  // Letters that take no value may come before it, as in "-vC".
  return {
    check: task.dry_run || says(/^--check$|^-[bDkKv]*C/),
    diff: task.diff || says(/^--diff$|^-[bCkKv]*D/),
  };
}
