/** A path of this application that was handed around in an address or a form; "/" for any other. */
export function localPath(text: string | null | undefined): string {
  if (!text?.startsWith("/") || /[\\\p{Cc}]/u.test(text)) return "/";
  return text.replace(/^\/+/, "/");
}
