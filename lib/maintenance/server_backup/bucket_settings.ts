import {
  ConfigError,
  type Environment,
  readSwitch,
  readUrl,
} from "../../base/settings/settings.ts";
import type { Bucket } from "./s3.ts";

/** Returns the bucket of backups; null if none is configured. Throws ConfigError. */
export function readBucket(env: Environment): Bucket | null {
  const endpoint = readUrl(env, "CALLBOARD_BACKUP_BUCKET_ENDPOINT");
  const bucket = env.get("CALLBOARD_BACKUP_BUCKET_NAME");
  const accessKeyId = env.get("CALLBOARD_BACKUP_BUCKET_ACCESS_KEY");
  const secretAccessKey = env.get("CALLBOARD_BACKUP_BUCKET_SECRET_KEY");
  if (!endpoint && !bucket) return null;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      "CALLBOARD_BACKUP_BUCKET_ENDPOINT, _NAME, _ACCESS_KEY and _SECRET_KEY require each other",
    );
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError(
      `CALLBOARD_BACKUP_BUCKET_NAME must be the name of a bucket, not "${bucket}"`,
    );
  }
  const prefix = (env.get("CALLBOARD_BACKUP_BUCKET_PREFIX") ?? "").replace(/^\/+|(?<!\/)\/+$/g, "");
  return {
    endpoint: endpoint.href,
    bucket,
    prefix: prefix && `${prefix}/`,
    region: env.get("CALLBOARD_BACKUP_BUCKET_REGION") || "us-east-1",
    accessKeyId,
    secretAccessKey,
    pathStyle: readSwitch(env, "CALLBOARD_BACKUP_BUCKET_PATH_STYLE", true),
  };
}
