/** The subject of a message, and the text for its starter; by default the recorded name alone. */
export type Authored<T> = T & { author?: string };

/** The person who has started a run. */
export interface Starter {
  user_id: number | null;
  username: string | null;
  user_name: string | null;
}
