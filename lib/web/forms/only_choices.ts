import type { Choices } from "./conflict.ts";

/** Returns the only one of some choices, which new forms fill in; undefined if there are others. */
export const onlyOne = <T>(choices: readonly T[]): T | undefined =>
  choices.length === 1 ? choices[0] : undefined;

/**
 * Returns the values of a new form's required fields that have only one choice. `Select` fills them
 * in, too: this is for forms whose other parts depend on the values.
 */
export const onlyChoices = (choices: Choices): Record<string, number | string> =>
  Object.fromEntries(
    Object.entries(choices).flatMap(([field, rows]) => {
      const only = onlyOne(rows);
      return only ? [[field, only.id]] : [];
    }),
  );
