import * as z from "zod";
import { preservedField } from "../../base/fields.ts";
import { staysInside } from "../../execution/git/url.ts";

const PATHS_MAX = 10;

/** Returns the paths of a text, one of each line, without dots and slashes that mean nothing. */
export const keptPaths = (text: string | null | undefined): string[] => [
  ...new Set(
    (text ?? "").split("\n")
      .map((line) => line.trim().split("/").filter((part) => part !== "" && part !== ".").join("/"))
      .filter((path) => path !== ""),
  ),
];

/** Whether a path names something that a run may leave in its checkout. */
const isKeepable = (line: string): boolean =>
  staysInside(line) && !line.split("/").some((part) => part.toLowerCase() === ".git");

/**
 * Paths of files and folders of a checkout that are kept from one run to the next, one in each
 * line. An update without it keeps the stored ones.
 */
export const keepPathsField = preservedField(
  z.string().max(2_000, "errors.too_long").superRefine((text, ctx) => {
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    const isWrong = lines.some((line) => !isKeepable(line)) ||
      keptPaths(text).length < lines.length;
    if (isWrong) ctx.addIssue({ code: "custom", message: "errors.keep_paths.path" });
    if (lines.length > PATHS_MAX) {
      ctx.addIssue({
        code: "custom",
        message: "errors.keep_paths.limit",
        params: { params: { max: PATHS_MAX } },
      });
    }
  }),
);
