import type { Deps } from "../../access/deps.ts";
import { describeError } from "../../base/log.ts";
import { operatorCommand } from "../../base/machine/operator_command.ts";
import { DirectoryFailure } from "../../ldap/failure.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import type { Provider } from "../../oidc/provider.ts";
import { listAllIdentities } from "../identities/repository.ts";

type CheckDeps = Pick<Deps, "kv" | "config" | "providers" | "directory" | "log">;

/**
 * Contacts each provider and the directory once, and logs whether people can sign in with them.
 * Nothing waits for it, because one that is unavailable now may be available when someone comes.
 */
export async function tryWaysIn(deps: CheckDeps): Promise<void> {
  const { config, providers, kv, log } = deps;
  const reached = Promise.all(providers.list.map((provider) => tryProvider(deps, provider)));
  await tryDirectory(deps);
  const isAnyReached = (await reached).includes(true);
  if (config.passwordSignIn) return;
  const isAnyoneLinked = (await listAllIdentities(kv, 1)).length > 0;
  if (isAnyReached && isAnyoneLinked) return;
  log("warn", "nobody_can_sign_in", {
    why: isAnyReached
      ? "passwords are disabled, and no account is linked with a provider"
      : "passwords are disabled, and no provider can be reached",
    recover: operatorCommand("user link --login NAME"),
  });
}

async function tryProvider({ log }: CheckDeps, { settings, metadata }: Provider): Promise<boolean> {
  try {
    const { server: { issuer } } = await metadata();
    log("info", "sso_ready", { provider: settings.id, issuer });
    return true;
  } catch (error) {
    const noted = error instanceof SignInFailure ? { why: error.why } : describeError(error);
    log("error", "sso_unusable", { provider: settings.id, ...noted });
    return false;
  }
}

async function tryDirectory({ directory, log }: CheckDeps): Promise<void> {
  try {
    if (!directory) return;
    await directory.check();
    log("info", "directory_ready");
  } catch (error) {
    const noted = error instanceof DirectoryFailure ? { why: error.why } : describeError(error);
    log("error", "directory_failed", noted);
  }
}
