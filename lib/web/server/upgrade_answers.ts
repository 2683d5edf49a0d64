import type { Sentence } from "../../base/errors.ts";
import type { Config } from "../../base/settings/config.ts";
import type { Health } from "../../monitoring/health/schema.ts";
import { readUpgradeMetrics } from "../../monitoring/metrics/service.ts";
import type { UpgradeProgress } from "../../maintenance/migrations.ts";
import { catalogs, htmlLanguage } from "../../i18n/catalogs.ts";
import { negotiated } from "../../i18n/negotiate.ts";
import { tell } from "../../i18n/tell.ts";
import { type Translate, translator } from "../../i18n/translate.ts";

/** Seconds after which a page reloads and a client may retry. */
const RETRY_SECONDS = 5;

const HEADERS = {
  "retry-after": String(RETRY_SECONDS),
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

/**
 * Responds with 503 and the progress of the upgrade: in JSON for programs, as a page for people.
 * Only Prometheus gets an answer, which says that the server upgrades.
 */
export async function answerUpgrading(
  request: Request,
  config: Pick<Config, "basePath" | "metricsToken">,
  { copied, step, steps, rows }: UpgradeProgress,
): Promise<Response> {
  const { basePath } = config;
  const language = negotiated(request.headers.get("accept-language") ?? "", catalogs.keys());
  const t = translator(language);
  const reason: Sentence = copied === null
    ? { key: "health.upgrading", params: { step, steps, rows } }
    : { key: "health.copying", params: { percent: copied } };
  const { pathname } = new URL(request.url);
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
  const init = { status: 503, headers: HEADERS };
  if (path === "/metrics" && config.metricsToken !== null) {
    const metrics = await readUpgradeMetrics(config, request.headers).catch(() => null);
    if (metrics === null) {
      const headers = { ...HEADERS, "www-authenticate": 'Bearer realm="Callboard"' };
      return new Response(null, { status: 401, headers });
    }
    const { text, contentType } = metrics;
    return new Response(text, { headers: { ...HEADERS, "content-type": contentType } });
  }
  if (path === "/api/health") return Response.json(healthOf(reason, t), init);
  if (path === "/api/ping") return new Response("upgrading", init);
  const error = tell(reason, t);
  if (path.startsWith("/api/")) return Response.json({ error }, init);
  return new Response(pageOf(error, t, language), {
    ...init,
    headers: { ...HEADERS, "content-type": "text/html; charset=utf-8" },
  });
}

function healthOf(reason: Sentence, t: Translate): Health {
  const unknown = { ok: false, reason: t("health.unknown") };
  const store = { ok: false, reason: tell(reason, t) };
  const [disk, ansible, isolation] = [unknown, unknown, unknown];
  const [queue, schedules, alerts, audit, backup, process, loops] = Array(7).fill(unknown);
  const [jobs_late, jobs_set_aside] = Array(2).fill(unknown);
  return {
    status: "failing",
    maintenance: "off",
    checks: {
      ...{ store, disk, ansible, isolation, queue, schedules, alerts, audit },
      ...{ backup, process, loops, jobs_late, jobs_set_aside },
    },
  };
}

const pageOf = (progress: string, t: Translate, language: string) =>
  `<!DOCTYPE html>
<html lang="${htmlLanguage(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>${t("upgrade.title")} - ${t("app.name")}</title>
<style>
body{max-width:36rem;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
</style>
<main>
<h1>${t("upgrade.title")}</h1>
<p>${progress}</p>
<p>${t("upgrade.about")}</p>
</main>
</html>
`;
