import { type Claims, textsAt } from "../../base/claims.ts";
import { SignInFailure } from "../../oidc/failure.ts";
import type { ProviderSettings } from "../../oidc/settings.ts";
import type { Profile } from "../identities/schema.ts";
import { isOneAddress } from "../users/schema.ts";

type ClaimSettings = Pick<ProviderSettings, "username_claim" | "name_claim" | "email_claim">;

/**
 * Returns the names of an account, by the claims that the settings name. Throws a failure if there
 * is no e-mail address, or if the provider says that it has not verified it.
 */
export function profileOf(settings: ClaimSettings, claims: Claims): Profile {
  const email = claimText(claims, settings.email_claim).slice(0, 255);
  if (email.length > 254 || !isOneAddress(email)) {
    throw new SignInFailure("incomplete", `no e-mail address in ${settings.email_claim}`);
  }
  // Some providers send it as text. One that does not send it, such as a company's server, assigns
  // the addresses itself.
  const { email_verified: verified = true } = claims;
  if (verified !== true && verified !== "true") {
    throw new SignInFailure("unverified", "email_verified is neither true nor missing");
  }
  const username = claimText(claims, settings.username_claim).slice(0, 100) || email.split("@")[0];
  const name = claimText(claims, settings.name_claim).slice(0, 200) || username;
  return { username, name, email };
}

/** Whether the claims contain all that an account and the group rules need. */
export const isComplete = (claims: Claims, settings: ClaimSettings, wanted: string[]): boolean =>
  claims.email_verified !== undefined &&
  [settings.username_claim, settings.name_claim, settings.email_claim]
    .every((claim) => claimText(claims, claim) !== "") &&
  wanted.every((path) => textsAt(claims, path).length > 0);

/**
 * Returns the first of several claims, such as `preferred_username|email`, that has a value. Names
 * in braces, such as `{{ .given_name }} {{ .family_name }}`, are filled in.
 */
export function claimText(claims: Claims, alternatives: string): string {
  for (const alternative of alternatives.split("|")) {
    const text = alternative.includes("{{")
      ? filledIn(claims, alternative)
      : textsAt(claims, alternative.trim())[0] ?? "";
    // deno-lint-ignore no-control-regex -- names have none
    const line = text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, " ").trim();
    if (line !== "") return line;
  }
  return "";
}

/** Fills in a template. Returns an empty text if one of the claims has no value. */
function filledIn(claims: Claims, template: string): string {
  let isFull = true;
  const text = template.replaceAll(/\{\{\s*\.?([\w:./-]+)\s*\}\}/g, (_, path) => {
    const [value] = textsAt(claims, path);
    if (!value) isFull = false;
    return value ?? "";
  });
  return isFull ? text : "";
}
