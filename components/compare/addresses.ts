import { type TaskAddress, taskAddress } from "../tasks/task_address.ts";
import type { Pair } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { OVER_TASK } from "../../lib/web/pages/overlay_address.ts";
import type { TaskRow } from "../../lib/model/task_row.ts";

export interface TaskAddresses {
  run: TaskAddress;
  base: TaskAddress;
}

/** Both tasks as shown in a dialog over their comparison, whose complete path is `page`. */
export function addressesInOverlay(ui: Ui, page: string, { run, base }: Pair): TaskAddresses {
  const over = (task: TaskRow) => {
    const asked = { a: `${run.id}`, b: `${base.id}`, [OVER_TASK]: `${task.id}` };
    return taskAddress(ui, task, new URL(`${page}?${new URLSearchParams(asked)}`, "http://page"));
  };
  return { run: over(run), base: over(base) };
}
