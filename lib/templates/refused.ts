import * as z from "zod";
import { unsupportedField } from "../base/fields.ts";

/** Members of other clients that Callboard does not have. Tasks would run otherwise than asked. */
export const refusedFields = {
  /** Other names of `runner_tag`. Tasks would run on other runners. */
  runner_tags: unsupportedField(
    z.array(z.string()).max(100, "errors.too_long"),
    "errors.templates.runner_tags",
  ),
  runner_tag_match_mode: z.literal(["", "all"], "errors.templates.runner_tag_match").nullish()
    .transform(() => undefined),
  executor_image: unsupportedField(z.string(), "errors.templates.executor_image"),
  /** Tasks would run on all hosts. The limit of a template is in its `task_params`. */
  limit: unsupportedField(
    z.union([z.string(), z.array(z.string()).max(100, "errors.too_long")]),
    "errors.templates.limit",
  ),
};
