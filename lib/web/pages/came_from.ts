/** A request, and where the application is. */
interface Asked {
  req: Request;
  config: { basePath: string };
}

/** The page that a request says it was made on, with its query, below the sub-path; or null. */
export function refererPath({ req, config }: Asked): string | null {
  const url = URL.parse(req.headers.get("Referer") ?? "");
  return url && (url.pathname.slice(config.basePath.length) || "/") + url.search;
}

/** The page of a project from which a form was opened; null when it is not known. */
export function cameFrom({ url, ...asked }: Asked & { url: URL }): string | null {
  const path = refererPath(asked);
  const here = url.pathname.slice(asked.config.basePath.length);
  return path?.startsWith("/project/") && path.split("?")[0] !== here ? path : null;
}
