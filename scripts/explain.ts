import { AppError } from "../lib/base/errors.ts";
import { tellError } from "../lib/web/translate_errors.ts";
import { translator } from "../lib/i18n/translate.ts";
import { stderrLog } from "../lib/base/log.ts";

/** Returns an error in sentences for the person at the terminal. */
export function explain(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const { sentence, fields } = tellError(error, {
    ui: { t: translator("en") },
    deps: { log: stderrLog },
    requestId: "",
  });
  const wrong = Object.entries(fields).map(([field, message]) => `${field}: ${message}`);
  return wrong.length > 0 ? wrong.join("\n") : sentence;
}
