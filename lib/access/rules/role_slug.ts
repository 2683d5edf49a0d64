import * as z from "zod";

/** Words that rules and addresses use beside roles. */
export const RESERVED_SLUGS: readonly string[] = ["admin", "all", "new", "sign_in"];

/** Slug of a role. Whether there is one, only the store knows. */
export const roleSlugField = z.string("errors.required").trim().min(1, "errors.required")
  .max(40, "errors.too_long").regex(/^[a-z0-9][a-z0-9_-]*$/, "errors.unknown_role");
