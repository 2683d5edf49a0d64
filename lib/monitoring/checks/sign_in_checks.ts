import { DirectoryFailure } from "../../ldap/failure.ts";
import { contactProvider } from "../../oidc/contact_provider.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import { createProviders, type Provider, redirectUriOf } from "../../oidc/provider.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

/** Makes the requests of a sign-in that need no person, with fresh answers of each provider. */
export async function checkProviders(checkUp: CheckUp): Promise<Finding[]> {
  const { list } = createProviders(checkUp.providers, checkUp.clock);
  return (await Promise.all(list.map((provider) => tryProvider(checkUp, provider)))).flat();
}

async function tryProvider({ config }: CheckUp, provider: Provider): Promise<Finding[]> {
  const { settings: { id: name, redirect_url } } = provider;
  const base = config.url && config.url.origin + config.basePath;
  if (!base && !redirect_url) return [problem("warning", "doctor.providers.no_url", { name })];
  const redirect = redirectUriOf(provider, base ?? "");
  const ofOther = base && !redirect.startsWith(`${base}/`)
    ? [problem("warning", "doctor.providers.other_url", { name, redirect, url: base })]
    : [];
  try {
    await contactProvider(provider, redirect);
    return [fine("doctor.providers.works", { name, redirect }), ...ofOther];
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const params = { name, why: error.why, redirect };
    const key = error.reason === "refused" ? "refuses" : "broken";
    return [problem("failed", `doctor.providers.${key}`, params), ...ofOther];
  }
}

export async function checkDirectory({ directory }: CheckUp): Promise<Finding[]> {
  if (!directory) return [];
  try {
    await directory.check();
    return [fine("doctor.directory.works")];
  } catch (error) {
    if (!(error instanceof DirectoryFailure)) throw error;
    const key = error.reason === "away" ? "away" : "refuses";
    return [problem("failed", `doctor.directory.${key}`, { why: error.why })];
  }
}
