import { bearerOf } from "../../access/bearer_tokens.ts";
import { isSameSecret } from "../../access/same_secret.ts";
import type { Deps } from "../../access/deps.ts";
import { notFound, unauthorized } from "../../base/errors.ts";
import { measure } from "./measure.ts";
import type { Metrics } from "./metrics.ts";

/**
 * The metrics in the text format of Prometheus, for whoever sends the token of
 * CALLBOARD_METRICS_TOKEN. Throws not found when there is none, 401 for another one.
 */
export async function readMetrics(
  deps: Deps & { metrics: Metrics },
  headers: Headers,
): Promise<{ text: string; contentType: string }> {
  const { metricsToken } = deps.config;
  if (metricsToken === null) throw notFound();
  if (!isSameSecret(bearerOf(headers) ?? "", metricsToken)) throw unauthorized();
  const { metrics } = deps;
  await measure(deps, metrics);
  return { text: await metrics.registry.metrics(), contentType: metrics.registry.contentType };
}
