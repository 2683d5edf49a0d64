import { localPath } from "../../base/local_path.ts";
import { paths } from "../../base/paths.ts";

/** The page of a project that a form was opened from, as the form or its address tells; or `other`. */
export function backPath(
  text: string | null | undefined,
  projectId: number,
  other: string,
): string {
  const path = localPath(text);
  return path.startsWith(`${paths.project(projectId)}/`) ? path : other;
}

/** Where the address of a form says to go on from it; null where it says nothing. */
export const wayOn = (url: URL, projectId: number): string | null =>
  backPath(url.searchParams.get("back"), projectId, "") || null;
