import type { Section } from "./paths.ts";

/**
 * Resources whose pages have the same structure: a list, a form, and a confirmation before
 * deleting.
 */
export const SECTION_OF = {
  keys: "keys",
  secret_storages: "secret_storages",
  repositories: "repositories",
  git_credentials: "git_credentials",
  inventories: "inventory",
  environments: "environment",
  toolchains: "toolchains",
} as const satisfies Record<string, Section>;

export type Noun = keyof typeof SECTION_OF;
