import * as z from "zod";
import type { PreviewState } from "../model/task_row.ts";

/** Preview state in API responses. `confirmed_by` is empty until someone confirms. */
export const previewSchema = z.object({
  made: z.iso.datetime().nullable(),
  unchanged: z.boolean(),
  hosts: z.int(),
  changed_hosts: z.int(),
  /** How many Ansible tasks ran for real during the preview because of `check_mode: false`. */
  carried_out: z.int(),
  /** On how many hosts the preview failed. Then a confirmation needs `in_spite_of_failures`. */
  failed_hosts: z.int(),
  confirmed_by: z.string(),
  /**
   * After the real execution: hosts that changed unexpectedly, and hosts that did not change as
   * predicted.
   */
  unpredicted: z.int(),
  absent: z.int(),
}).meta({ name: "PreviewState" });

export const previewView = (
  { ends_unchanged: _, confirmers: __, ...preview }: PreviewState,
): z.output<typeof previewSchema> => ({
  unchanged: false,
  hosts: 0,
  changed_hosts: 0,
  carried_out: 0,
  failed_hosts: 0,
  confirmed_by: "",
  unpredicted: 0,
  absent: 0,
  ...preview,
});

/** Whether a task has a preview that failed. */
export const hasFailedPreview = ({ preview }: { preview?: PreviewState | null }): boolean =>
  (preview?.failed_hosts ?? 0) > 0;

/** Whether the current or next execution of a task is its preview. */
export const isPreviewing = ({ preview }: { preview?: PreviewState | null }): boolean =>
  preview?.made === null;
