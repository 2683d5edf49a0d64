import { bearerOf } from "../../access/bearer_tokens.ts";
import { isSameSecret } from "../../access/same_secret.ts";
import type { PublicDeps } from "../../access/deps.ts";
import type { Config } from "../../base/settings/config.ts";
import { notFound, unauthorized } from "../../base/errors.ts";
import { measure, type MeasuredDeps } from "./measure.ts";
import { createMetrics } from "./metrics.ts";

/**
 * Returns the metrics in the text format of Prometheus, if the request has the token of
 * CALLBOARD_METRICS_TOKEN. Throws 404 if no token is configured, and 401 for a wrong one.
 */
export async function readMetrics(
  deps: PublicDeps & MeasuredDeps,
  headers: Headers,
): Promise<MetricsAnswer> {
  requireMetricsToken(deps.config, headers);
  await measure(deps);
  const { registry } = deps.metrics;
  return { text: await registry.metrics(), contentType: registry.contentType };
}

interface MetricsAnswer {
  text: string;
  contentType: string;
}

/** Returns the only metric that is known while the store is upgraded. Throws as `readMetrics`. */
export async function readUpgradeMetrics(
  config: Pick<Config, "metricsToken">,
  headers: Headers,
): Promise<MetricsAnswer> {
  requireMetricsToken(config, headers);
  const { registry, upgrading } = createMetrics();
  upgrading.set(1);
  const text = await registry.getSingleMetricAsString("callboard_upgrade_running");
  return { text: `${text}\n`, contentType: registry.contentType };
}

function requireMetricsToken({ metricsToken }: Pick<Config, "metricsToken">, headers: Headers) {
  if (metricsToken === null) throw notFound();
  if (!isSameSecret(bearerOf(headers) ?? "", metricsToken)) throw unauthorized();
}
