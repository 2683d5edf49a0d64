import { AppError, invalidField } from "../../base/errors.ts";
import { TOKEN_SCOPES, type TokenLimits, type TokenScope } from "../../model/token_limits.ts";
import { canonicalNetwork, isInsideNetworks } from "../token_networks.ts";
import { hasScope } from "../token_scopes.ts";

/** Limits as a form or a body has them. What is missing is not limited. */
export type SentLimits = { [Name in keyof TokenLimits]?: TokenLimits[Name] };

/** Scopes that fit with chosen projects, and with chosen templates. */
const IN_PROJECTS: readonly TokenScope[] = ["read", "run", "manage"];
const IN_TEMPLATES: readonly TokenScope[] = ["read", "run"];

/**
 * Returns the limits of a token in the form in which they are stored; undefined for none. Chosen
 * projects and templates leave the scopes that fit with them. Throws 400 for limits that would
 * not hold, such as templates for a token that can change schedules.
 */
export function checkedLimits(sent: SentLimits): TokenLimits | undefined {
  const project_ids = inOrder(sent.project_ids);
  const template_ids = inOrder(sent.template_ids);
  const fitting = template_ids ? IN_TEMPLATES : project_ids ? IN_PROJECTS : TOKEN_SCOPES;
  const scopes = fitting.filter((scope) => !sent.scopes || sent.scopes.includes(scope));
  if (sent.scopes?.some((scope) => !fitting.includes(scope))) {
    const field = template_ids ? "template_ids" : "project_ids";
    throw invalidField(field, `errors.token_${field}`);
  }
  if (template_ids && !scopes.includes("run")) {
    throw invalidField("template_ids", "errors.token_template_ids");
  }
  const limits: TokenLimits = {
    scopes: scopes.length === TOKEN_SCOPES.length ? null : scopes,
    project_ids,
    template_ids,
    networks: sent.networks ? networksOf(sent.networks) : null,
  };
  return Object.values(limits).some((limit) => limit !== null) ? limits : undefined;
}

const inOrder = (ids: readonly number[] | null | undefined): number[] | null =>
  ids ? [...new Set(ids)].toSorted((a, b) => a - b) : null;

function networksOf(texts: readonly string[]): string[] {
  const networks = texts.map((text) => {
    const network = canonicalNetwork(text);
    if (network === null) throw invalidField("networks", "errors.token_networks", { text });
    return network;
  });
  return [...new Set(networks)];
}

/** Throws 403 if a token would have more than the one that creates it. */
export function requireNarrower(parent: TokenLimits | null, child: TokenLimits | undefined): void {
  if (!parent) return;
  const isWithin =
    TOKEN_SCOPES.every((scope) => hasScope(parent, scope) || !hasScope(child ?? null, scope)) &&
    isPartOf(parent.project_ids, child?.project_ids) &&
    isPartOf(parent.template_ids, child?.template_ids) && areCovered(parent, child);
  if (!isWithin) throw new AppError(403, "errors.token_more");
}

const isPartOf = (all: readonly number[] | null, some: readonly number[] | null = null) =>
  all === null || some !== null && some.every((id) => all.includes(id));

const areCovered = ({ networks }: TokenLimits, child: TokenLimits | undefined): boolean =>
  networks === null || (child?.networks ?? null) !== null &&
    child!.networks!.every((network) => isInsideNetworks(network, networks));
