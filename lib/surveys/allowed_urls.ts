import type { Config } from "../base/settings/config.ts";
import { invalidField } from "../base/errors.ts";
import { findAllowed } from "../base/settings/survey_urls.ts";
import type { SurveyVar } from "./schema.ts";

/** Throws 400 for a new address of choices that the settings do not allow. */
export function requireAllowedUrls(
  { surveyUrls }: Pick<Config, "surveyUrls">,
  survey: readonly SurveyVar[],
  stored: readonly SurveyVar[],
): void {
  const known = new Set(stored.map(({ choices_from }) => choices_from?.url));
  for (const [n, { choices_from }] of survey.entries()) {
    const url = choices_from?.url;
    if (url === undefined || known.has(url) || findAllowed(surveyUrls, url)) continue;
    throw invalidField(`survey_vars.${n}.choices_from.url`, "errors.choices.not_allowed");
  }
}
