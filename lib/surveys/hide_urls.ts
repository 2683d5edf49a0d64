import type { SurveyVar } from "./schema.ts";

/** Returns a survey for people who may not change it: addresses of choices may hold secrets. */
export const withoutSecretUrls = (survey: SurveyVar[]): SurveyVar[] =>
  survey.map((question) => {
    const { choices_from } = question;
    if (!choices_from?.url) return question;
    const url = choices_from.url.replace(/[?#].*$/s, "");
    return { ...question, choices_from: { ...choices_from, url } };
  });
