import type { RepositoryKind } from "./url.ts";
import { withoutHidden } from "./userinfo.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `git@host:path`, as scp writes it, without a port. */
const SCP_LIKE = /^([^/:]+):(?!\d+(?:\/|$))/;

/** Returns the URL with the scheme of `kind`, or as the path of a local folder. */
export function withKind(url: string, kind: RepositoryKind): string {
  const hadScheme = SCHEME.test(url.trim());
  if (url.trim().toLowerCase().startsWith(`${kind}://`)) return url.trim();
  const rest = withoutHidden(url.trim()).replace(SCHEME, "").replace(/^\/+/, "");
  if (kind === "local") return `/${rest}`;
  if (kind === "file") return `file:///${rest}`;
  const path = hadScheme ? rest : rest.replace(SCP_LIKE, "$1/");
  // Only ssh signs in by the name in the URL.
  return `${kind}://${kind === "ssh" ? path : path.replace(/^[^/@]+@/, "")}`;
}
