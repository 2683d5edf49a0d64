import { localPath } from "../../http/local_path.ts";
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

/** A request, and the base path of the application. */
interface Asked {
  req: Request;
  config: { basePath: string };
}

/** Returns the page of the Referer header with its query, below the sub-path, or null. */
export function refererPath({ req, config }: Asked): string | null {
  const url = URL.parse(req.headers.get("Referer") ?? "");
  return url && (url.pathname.slice(config.basePath.length) || "/") + url.search;
}

/** Returns the page of a project from which a form was opened; null if it is unknown. */
export function cameFrom({ url, ...asked }: Asked & { url: URL }): string | null {
  const path = refererPath(asked);
  const here = url.pathname.slice(asked.config.basePath.length);
  return path?.startsWith("/project/") && path.split("?")[0] !== here ? path : null;
}
