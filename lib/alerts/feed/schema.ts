import * as z from "zod";

export const feedSchema = z.object({
  /** Null while the project has no feed. */
  created: z.iso.datetime().nullable(),
});
/** The feed of a project, without its token. */
export type FeedView = z.output<typeof feedSchema>;

export const newFeedSchema = z.object({
  /** The last part of its address, `/api/feeds/TOKEN`. Only this answer has it. */
  token: z.string(),
});
export type NewFeed = z.output<typeof newFeedSchema>;
