import * as z from "zod";
import { define, ownAccount } from "@/lib/web/state.ts";
import { keepCookie } from "@/lib/http/cookies.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { SHORTCUTS_CHOICE } from "@/lib/web/shell.ts";
import { catalogs } from "@/lib/i18n/catalogs.ts";
import { chooseLanguage } from "@/lib/people/accounts/service.ts";
import { COLUMNS_CHOICE, columnsChoice } from "@/lib/templates/list.ts";

/**
 * Members that are not sent keep their values. "system" and "" restore the browser's preference.
 */
const preferences = z.object({
  theme: z.enum(["light", "dark", "system"]).optional().catch(undefined),
  lang: z.string().refine((id) => id === "" || catalogs.has(id)).optional().catch(undefined),
  [SHORTCUTS_CHOICE]: z.enum(["on", "off"]).optional().catch(undefined),
  back: z.string().optional(),
});

export const handler = define.handlers({
  async POST(ctx) {
    const values = await readForm(ctx.req);
    const { theme, lang, shortcuts, back } = preferences.parse(values);
    const columns = allOf(values, COLUMNS_CHOICE);
    const { deps: { config }, ui } = ctx.state;
    const response = ctx.redirect(ui.href(localPath(back)), 303);
    const keep = (name: string, value: string) =>
      keepCookie(response.headers, config, ctx.url, { name, value });
    if (theme) keep("theme", theme === "system" ? "" : theme);
    if (lang !== undefined) {
      keep("lang", lang);
      if (ctx.state.actor) await chooseLanguage(ownAccount(ctx.state), lang);
    }
    if (shortcuts) keep(SHORTCUTS_CHOICE, shortcuts === "on" ? "" : "off");
    if (columns.length > 0) keep(COLUMNS_CHOICE, columnsChoice(columns));
    return response;
  },
});

/** Returns all values that a form sent under a name. `readForm` numbers repeated names. */
const allOf = (values: FormValues, name: string): string[] =>
  Object.keys(values).filter((key) => key === name || key.startsWith(`${name}.`))
    .map((key) => values[key]);
