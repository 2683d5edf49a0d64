/** Longer ones are no page's address; a browser would not send them on, either. */
const LENGTH_MAX = 2000;

/**
 * A path of this application that was handed around in an address or a form, as a Location header
 * may hold it: without dots that would leave a sub-path, and in ASCII; "/" for any other.
 */
export function localPath(text: string | null | undefined): string {
  if (!text?.startsWith("/") || text.length > LENGTH_MAX || /[\\\p{Cc}]/u.test(text)) return "/";
  const url = URL.parse(text.replace(/^\/+/, "/"), "http://here.invalid");
  // Dots may leave a path that begins with two slashes: the name of another host.
  return url ? url.pathname.replace(/\/+/g, "/") + url.search + url.hash : "/";
}
