import { z } from "zod";
import { define } from "@/lib/deps.ts";
import { setCookie } from "@/lib/http/cookies.ts";
import { readForm } from "@/lib/http/form.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { OFFERED_LANGUAGES } from "@/lib/i18n/translate.ts";

const YEAR_SECONDS = 31_536_000;

/** What is not said stays; "system" and "" go back to what the browser asks for. */
const preferences = z.object({
  theme: z.enum(["light", "dark", "system"]).optional().catch(undefined),
  lang: z.enum(["", ...OFFERED_LANGUAGES]).optional().catch(undefined),
  back: z.string().optional(),
});

export const handler = define.handlers({
  async POST(ctx) {
    const { theme, lang, back } = preferences.parse(await readForm(ctx.req));
    const { deps: { config }, ui } = ctx.state;
    const response = ctx.redirect(ui.href(localPath(back)), 303);
    const keep = (name: string, value: string) =>
      setCookie(response.headers, name, value, {
        path: config.basePath || "/",
        secure: (config.url ?? ctx.url).protocol === "https:",
        maxAgeSeconds: value === "" ? 0 : YEAR_SECONDS,
      });
    if (theme) keep("theme", theme === "system" ? "" : theme);
    if (lang !== undefined) keep("lang", lang);
    return response;
  },
});
