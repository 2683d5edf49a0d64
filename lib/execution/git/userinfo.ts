/** What stands for login and password in the URLs that are stored readable and answered. */
export const HIDDEN = "***";

/** Everything between the scheme and the last "@" in front of the path. */
const HTTP_WITH_USERINFO = /^(https?:\/\/)([^/?#]*)@/i;

/**
 * Login and password of an http address, as `https://TOKEN@host/x.git` has them; null without any.
 * All of it is secret: some hosts take a token for the login.
 */
export const userinfoOf = (url: string): string | null => HTTP_WITH_USERINFO.exec(url)?.[2] || null;

/** The URL with other userinfo in the place of its own; with none for null. */
export const withUserinfo = (url: string, userinfo: string | null): string =>
  url.replace(
    HTTP_WITH_USERINFO,
    (_, scheme) => scheme + (userinfo === null ? "" : `${userinfo}@`),
  );

/** The URL without what stands for login and password, where only that is known. */
export const withoutHidden = (url: string): string =>
  userinfoOf(url) === HIDDEN ? withUserinfo(url, null) : url;
