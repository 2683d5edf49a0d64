import { z } from "zod";

/** How far a task is that is previewed before it is carried out. */
export interface PreviewState {
  /** Whether it ends by itself when nothing would change. */
  ends_unchanged: boolean;
  /** When the preview was complete; null until then. */
  made: string | null;
  /** It would have changed nothing, so that the task ended with it. */
  unchanged?: boolean;
  /** Name of who confirmed it. */
  confirmed_by?: string;
}

/** The same as clients are told it; the name is empty until there is one. */
export const previewSchema = z.object({
  made: z.iso.datetime().nullable(),
  unchanged: z.boolean(),
  confirmed_by: z.string(),
});

export const previewView = (
  { made, unchanged = false, confirmed_by = "" }: PreviewState,
): z.output<typeof previewSchema> => ({ made, unchanged, confirmed_by });

/** Whether what runs of a task, or runs next, only tells what would change. */
export const isPreviewing = ({ preview }: { preview?: PreviewState | null }): boolean =>
  preview?.made === null;
