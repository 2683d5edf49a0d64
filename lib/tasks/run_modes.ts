import type { TaskRow } from "./schema.ts";
import { parseStrings } from "./start_form.ts";

export interface RunModes {
  /** It only tells what it would change. */
  check: boolean;
  /** It shows what it changes. */
  diff: boolean;
}

/** How a task runs, as far as it says so itself: a repository's `ansible.cfg` may say so too. */
export function runModes(task: TaskRow): RunModes {
  const words = [task.template_arguments, task.arguments]
    .flatMap((text) => text ? parseStrings(text) ?? [] : []);
  const says = (option: RegExp) => words.some((word) => option.test(word));
  // Letters that take no value may stand before it: "-vC".
  return {
    check: task.dry_run || says(/^--check$|^-[bDkKv]*C/),
    diff: task.diff || says(/^--diff$|^-[bCkKv]*D/),
  };
}
