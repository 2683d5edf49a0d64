import { define } from "@/lib/deps.ts";
import { notFound } from "@/lib/errors.ts";

/** What no other route of the API answers. */
export const handler = define.handlers(() => {
  throw notFound();
});
