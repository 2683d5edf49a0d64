import { answersIn } from "@/lib/surveys/answer_fields.ts";
import { type AskedQuestion, askedQuestions, type ChoiceLists } from "@/lib/surveys/choices.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/** Returns the questions that a form asks with the answers in it. */
export const askedInForm = (
  survey: readonly SurveyVar[],
  lists: ChoiceLists,
  values: FormValues,
): AskedQuestion[] =>
  askedQuestions(survey, lists, {
    ...answersIn(survey, values, "open"),
    ...answersIn(survey, values, "secret"),
  });
