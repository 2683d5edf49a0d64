import { nearestName } from "../base/nearest.ts";

/** Settings of well-known providers that are the same on each server. */
const PRESETS: Record<string, object> = {
  google: {
    display_name: "Google",
    color: "#4285f4",
    icon: "google",
    provider_url: "https://accounts.google.com",
    username_claim: "email",
  },
  entra: {
    display_name: "Microsoft",
    color: "#0078d4",
    icon: "microsoft",
    email_claim: "email|preferred_username",
  },
  gitlab: {
    display_name: "GitLab",
    color: "#fc6d26",
    icon: "gitlab",
    provider_url: "https://gitlab.com",
    username_claim: "preferred_username|nickname",
  },
  keycloak: { display_name: "Keycloak", color: "#33c6e9", icon: "key" },
  okta: { display_name: "Okta", color: "#007dc1", icon: "okta" },
  authentik: { display_name: "Authentik", color: "#fd4b2d", icon: "shield-account" },
  github: {
    kind: "github",
    display_name: "GitHub",
    color: "#24292f",
    icon: "github",
    provider_url: "https://github.com",
    scopes: ["read:user", "user:email", "read:org"],
    username_claim: "login",
    name_claim: "name|login",
  },
};

/** Returns the names of all presets, with a suggestion for an unknown one. */
export function unknownPreset(preset: unknown): string {
  const names = Object.keys(PRESETS);
  const meant = typeof preset === "string" && nearestName(preset, names);
  return `must be one of ${names.join(", ")}${meant ? `: did you mean ${meant}?` : ""}`;
}

/** Returns the settings on top of those of their `preset`; any other value unchanged. */
export function withPreset(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { preset, tenant, ...set } = value as { preset?: unknown; tenant?: unknown };
  if (typeof preset !== "string" || !Object.hasOwn(PRESETS, preset)) return value;
  if (preset !== "entra" && tenant !== undefined) return { ...set, tenant };
  const ofTenant = preset === "entra" && typeof tenant === "string"
    ? { provider_url: `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0` }
    : {};
  return { ...PRESETS[preset], ...ofTenant, ...set };
}

export const isAddress = (text: string): boolean =>
  ["http:", "https:"].includes(URL.parse(text)?.protocol ?? "");
