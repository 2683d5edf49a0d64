/** Field whose value names the list of options that a button searches. */
export const FIND = "find";

/** Name of the field with the words to search the options of another field for. */
export const findField = (name: string): string => `${FIND}.${name}`;

/** Returns the words of that field in the address of a filtered page. */
export const wordsFor = ({ searchParams }: URL, name: string): string =>
  searchParams.get(findField(name)) ?? "";
