import type { Section } from "./paths.ts";

/** The resources whose pages are alike: a list, a form, a question before deleting. */
export const SECTION_OF = {
  keys: "keys",
  repositories: "repositories",
  inventories: "inventory",
  environments: "environment",
} as const satisfies Record<string, Section>;

export type Noun = keyof typeof SECTION_OF;
