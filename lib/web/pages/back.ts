import { localPath } from "../../base/local_path.ts";
import { paths } from "../../base/paths.ts";

/**
 * Returns the page of a project that a form was opened from, as given by the form or its URL, or
 * `other`.
 */
export function backPath(
  text: string | null | undefined,
  projectId: number,
  other: string,
): string {
  const path = localPath(text);
  return path.startsWith(`${paths.project(projectId)}/`) ? path : other;
}

/** Returns the page to open after a form, as given by the form's URL; null if it names none. */
export const wayOn = (url: URL, projectId: number): string | null =>
  backPath(url.searchParams.get("back"), projectId, "") || null;
