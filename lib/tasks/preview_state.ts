import * as z from "zod";
import type { RecordedPerson } from "../base/person.ts";

/** Preview state of a task whose template previews first. */
export interface PreviewState {
  /** Whether the task ends automatically when nothing would change. */
  ends_unchanged: boolean;
  /** Time when the preview was complete; null until then. */
  made: string | null;
  /** Whether the task ended with its preview because nothing would change. */
  unchanged?: boolean;
  /** Number of hosts in the preview, and how many of them would change. */
  hosts?: number;
  changed_hosts?: number;
  /** Number of Ansible tasks that the preview executed because of `check_mode: false`. */
  carried_out?: number;
  /**
   * Number of hosts on which it failed; missing for none. Then only people who manage resources
   * confirm it, and nothing does so automatically.
   */
  failed_hosts?: number;
  /** Names of the people who confirmed it. */
  confirmed_by?: string;
  /** These people; missing for none, and in rows of earlier versions. */
  confirmers?: RecordedPerson[];
  /**
   * Number of hosts that changed but were not predicted to, and of hosts predicted to change that
   * did not.
   */
  unpredicted?: number;
  absent?: number;
}

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
});

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
