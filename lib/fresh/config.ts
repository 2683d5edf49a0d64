export interface FreshConfig {
  /** The path that the app is served below, like "/tools". */
  basePath?: string;
  mode?: "development" | "production";
  /** Takes `ctx.url` from `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  trustProxy?: boolean;
}
