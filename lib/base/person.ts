import type { Sentence } from "./errors.ts";

/** A person as rows record them: the account, and its names at that time. */
export interface RecordedPerson {
  /** Null for a person without an account here. */
  user_id: number | null;
  /** Missing where the account exists. */
  username?: string | null;
  /** Display name, which several people can have. */
  user_name: string | null;
}

/** Returns the text that tells a person apart from all others; empty for no one. */
export type NamePerson = (person: RecordedPerson) => string;

/** Key of a person inside a sentence. It is not in the locale files, as names have no language. */
export const PERSON_KEY = "person";

/** Returns a person as a parameter of a sentence. Readers get the text of `NamePerson`. */
export const personParam = ({ user_id, username, user_name }: RecordedPerson): Sentence => ({
  key: PERSON_KEY,
  params: { name: user_name ?? "", username: username ?? "", id: user_id ?? 0 },
});

/** Returns the person of such a parameter. */
export function personOf(
  { name = "", username = "", id }: Sentence["params"] = {},
): RecordedPerson {
  return {
    user_id: typeof id === "number" && id > 0 ? id : null,
    username: String(username),
    user_name: String(name),
  };
}

/** Returns the person of an account that exists. */
export const personWith = ({ id, name }: { id: number; name: string }): RecordedPerson => ({
  user_id: id,
  user_name: name,
});

/** Returns only the name, where nothing is known of other accounts. */
export const plainName: NamePerson = ({ user_name }) => user_name ?? "";
