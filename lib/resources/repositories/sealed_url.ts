import type { SecretBox } from "../../access/secret_box.ts";
import { invalidField } from "../../base/errors.ts";
import { conceal, reveal, type Secret } from "../../base/secret.ts";
import type { RepositoryRow } from "./schema.ts";
import { HIDDEN, userinfoOf, withUserinfo } from "../../execution/git/userinfo.ts";

type UrlFields = Pick<RepositoryRow, "git_url" | "url_secret">;

/**
 * Converts a URL to its stored form, with login and password sealed separately. If a client sends
 * back the masked URL, those of `stored` stay, but only for the same server. Otherwise anyone who
 * can change a repository could send the password to their own server.
 */
export async function sealUrl(
  secrets: SecretBox,
  url: string,
  stored: UrlFields | null = null,
): Promise<UrlFields> {
  const userinfo = userinfoOf(url);
  if (userinfo === null) return { git_url: withUserinfo(url, null) };
  const git_url = withUserinfo(url, HIDDEN);
  if (userinfo !== HIDDEN) return { git_url, url_secret: await secrets.seal(userinfo) };
  const isSame = stored?.url_secret && URL.parse(stored.git_url)?.origin === URL.parse(url)?.origin;
  if (!isSame) throw invalidField("git_url", "errors.repositories.userinfo_hidden");
  return { git_url, url_secret: stored.url_secret };
}

/** The URL with its login and password. Only for running tasks. */
export async function openUrl(
  secrets: SecretBox,
  { git_url, url_secret }: UrlFields,
): Promise<Secret> {
  if (!url_secret) return conceal(git_url);
  return conceal(withUserinfo(git_url, reveal(await secrets.open(url_secret), "parse")));
}
