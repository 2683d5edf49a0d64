import { z } from "zod";

/** How far a task is that is previewed before it is carried out. */
export interface PreviewState {
  /** Whether it ends by itself when nothing would change. */
  ends_unchanged: boolean;
  /** When the preview was complete; null until then. */
  made: string | null;
  /** It would have changed nothing, so that the task ended with it. */
  unchanged?: boolean;
  /** Hosts that the preview came to, and those of them that would change. */
  hosts?: number;
  changed_hosts?: number;
  /** Play tasks that the preview has carried out: those with `check_mode: false`. */
  carried_out?: number;
  /** Name of who confirmed it. */
  confirmed_by?: string;
  /** Hosts that changed and were not predicted to, and the other way round. */
  unpredicted?: number;
  absent?: number;
}

/** The same as clients are told it; the name is empty until there is one. */
export const previewSchema = z.object({
  made: z.iso.datetime().nullable(),
  unchanged: z.boolean(),
  hosts: z.int(),
  changed_hosts: z.int(),
  /** How many play tasks ran for real during the preview: those with `check_mode: false`. */
  carried_out: z.int(),
  confirmed_by: z.string(),
  /** Of what was carried out: hosts that changed otherwise than predicted. */
  unpredicted: z.int(),
  absent: z.int(),
});

export const previewView = (
  { ends_unchanged: _, ...preview }: PreviewState,
): z.output<typeof previewSchema> => ({
  unchanged: false,
  hosts: 0,
  changed_hosts: 0,
  carried_out: 0,
  confirmed_by: "",
  unpredicted: 0,
  absent: 0,
  ...preview,
});

/** Whether what runs of a task, or runs next, only tells what would change. */
export const isPreviewing = ({ preview }: { preview?: PreviewState | null }): boolean =>
  preview?.made === null;
