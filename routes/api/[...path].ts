import { define } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";

/** What no other route of the API answers. */
export const handler = define.handlers(() => {
  throw notFound();
});
