import { isAbsolute } from "node:path";
import { isServerUrl } from "../../base/fields.ts";
import { conceal, type Secret } from "../../base/secret.ts";
import { ConfigError, type Environment, readToken } from "../../base/settings/settings.ts";

/** A private Galaxy server, such as Automation Hub. */
export interface GalaxyServer {
  url: string;
  token?: Secret;
  /** The only project that may use what is built with the token. */
  owner?: number;
}

/** Settings of a machine that say where the parts of toolchains come from. */
export interface PackageSources {
  /** Address of a mirror of PyPI, or an absolute path of a folder with wheels; null for PyPI. */
  wheels: string | Secret | null;
  /** Absolute path of a folder with archives of collections; null for a Galaxy server. */
  collections: string | null;
  /** The Galaxy server of toolchains that name none; null for the public one. */
  galaxy: GalaxyServer | null;
  /** Absolute path of a keyring of GnuPG for signatures of collections. */
  keyring: string | null;
}

/** Reads where toolchains come from. Throws ConfigError. */
export function readPackageSources(env: Environment): PackageSources {
  const wheels = env.get("CALLBOARD_WHEELS") || null;
  const isAddress = wheels !== null && /^https?:$/.test(URL.parse(wheels)?.protocol ?? "");
  if (wheels !== null && !isAddress && !isAbsolute(wheels)) {
    throw new ConfigError("CALLBOARD_WHEELS must be an http(s) URL or the full path of a folder");
  }
  return {
    // An address may have a password.
    wheels: isAddress ? conceal(wheels) : wheels,
    collections: readFullPath(env, "CALLBOARD_COLLECTIONS", "folder"),
    galaxy: readGalaxyServer(env),
    keyring: readFullPath(env, "CALLBOARD_GALAXY_KEYRING", "file"),
  };
}

function readFullPath(env: Environment, name: string, what: "file" | "folder"): string | null {
  const path = env.get(name) || null;
  if (path === null || isAbsolute(path)) return path;
  throw new ConfigError(`${name} must be the full path of a ${what}`);
}

function readGalaxyServer(env: Environment): GalaxyServer | null {
  const url = env.get("CALLBOARD_GALAXY_URL") || null;
  const token = readToken(env, "CALLBOARD_GALAXY_TOKEN");
  if (url === null && token === null) return null;
  if (url === null || !isServerUrl(url)) {
    throw new ConfigError("CALLBOARD_GALAXY_URL must be an http(s) URL without a login");
  }
  return { url, ...token !== null && { token: conceal(token) } };
}
