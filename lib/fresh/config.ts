export interface FreshConfig {
  /** Path below which the app is served, like "/tools". */
  basePath?: string;
  mode?: "development" | "production";
  /** Takes `ctx.url` from `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  trustProxy?: boolean;
}
