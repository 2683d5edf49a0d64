import { bearerOf } from "../../access/bearer_tokens.ts";
import { isSameSecret } from "../../access/same_secret.ts";
import type { PublicDeps } from "../../access/deps.ts";
import { notFound, unauthorized } from "../../base/errors.ts";
import { measure } from "./measure.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Returns the metrics in the text format of Prometheus, if the request has the token of
 * CALLBOARD_METRICS_TOKEN. Throws 404 if no token is configured, and 401 for a wrong one.
 */
export async function readMetrics(
  deps: PublicDeps & { metrics: Metrics },
  headers: Headers,
): Promise<{ text: string; contentType: string }> {
  const { metricsToken } = deps.config;
  if (metricsToken === null) throw notFound();
  if (!isSameSecret(bearerOf(headers) ?? "", metricsToken)) throw unauthorized();
  const { metrics } = deps;
  await measure(deps, metrics);
  return { text: await metrics.registry.metrics(), contentType: metrics.registry.contentType };
}
