import { AppError } from "../lib/base/errors.ts";
import { tellError } from "../lib/web/translate_errors.ts";
import { translator } from "../lib/i18n/translate.ts";
import { stderrLog } from "../lib/base/log.ts";
import { saysDamaged } from "../lib/base/explain_store.ts";
import { explainDamage } from "./run_script.ts";

/** Returns an error in sentences for the person at the terminal. */
export function explain(error: unknown): string {
  if (saysDamaged(error)) return explainDamage(error);
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const { sentence, fields } = tellError(error, {
    ui: { t: translator("en") },
    deps: { log: stderrLog },
    requestId: "",
  });
  const wrong = Object.entries(fields).map(([field, message]) => `${field}: ${message}`);
  return wrong.length > 0 ? wrong.join("\n") : sentence;
}
