import { type Claims, textsAt } from "../../base/claims.ts";
import type { Sentence } from "../../base/errors.ts";
import { nearestName } from "../../base/text/nearest.ts";
import { isMatch } from "./decide.ts";
import type { GroupRule } from "./schema.ts";

/** The outcome of a rule for one person. */
export interface RuleOutcome {
  rule: GroupRule;
  isMatch: boolean;
  why: Sentence;
}

const TEXT_MAX = 200;

/** Returns whether a rule matches a provider's claims, and why. */
export function explainRule(rule: GroupRule, claims: Claims): RuleOutcome {
  const said = textsAt(claims, rule.claim);
  return { rule, isMatch: isMatch(rule, claims), why: whyOf(rule, said) };
}

function whyOf({ claim, value }: GroupRule, said: string[]): Sentence {
  if (said.length === 0) return { key: "said.no_claim", params: { claim } };
  if (value === "*") return { key: "said.any", params: { claim } };
  if (said.includes(value)) return { key: "said.has", params: { claim, value } };
  const like = said.find((text) => text.toLowerCase().includes(value.toLowerCase())) ??
    nearestName(value, said);
  if (!like) return { key: "said.has_not", params: { claim, value } };
  return { key: "said.not_equal", params: { value, like: like.slice(0, TEXT_MAX) } };
}

const CLAIMS_MAX = 60;
/** Claims about the token instead of the person. */
const OF_TOKENS = new Set(
  ["acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "exp", "iat", "jti", "nbf"].concat(
    ["nonce", "s_hash", "sid", "session_state", "typ"],
  ),
);
const SECRET_NAME = /token|secret|password|passwd|\bkey\b/i;
const SECRET_VALUE = /^[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/;

/** Returns claims as administrators read them: shortened, and without possible secrets. */
export const shownClaims = (claims: Claims): { name: string; text: string }[] =>
  Object.entries(claims).filter(([name]) => !OF_TOKENS.has(name)).slice(0, CLAIMS_MAX).map(
    ([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
      const isSecret = SECRET_NAME.test(name) || SECRET_VALUE.test(text);
      return {
        name: name.slice(0, TEXT_MAX),
        text: isSecret ? "***" : text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text,
      };
    },
  );
