/** A longer path is not the address of a page, and browsers would not send it on either. */
const LENGTH_MAX = 2000;

/**
 * Returns a path of this application that came from a URL or a form in the form that a Location
 * header may hold: in ASCII and without dots that would leave a sub-path. Returns "/" for any other
 * text.
 */
export function localPath(text: string | null | undefined): string {
  if (!text?.startsWith("/") || text.length > LENGTH_MAX || /[\\\p{Cc}]/u.test(text)) return "/";
  const url = URL.parse(text.replace(/^\/+/, "/"), "http://here.invalid");
  // Resolving dots may yield a path with two leading slashes, which would name another host.
  return url ? url.pathname.replace(/\/+/g, "/") + url.search + url.hash : "/";
}
