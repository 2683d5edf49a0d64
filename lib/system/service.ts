import type { Deps } from "../deps.ts";
import type { SystemInfo } from "./schema.ts";

/** What clients ask about this server. */
export function systemInfo({ config, ansibleVersion }: Deps): SystemInfo {
  return {
    version: config.version,
    ansible: ansibleVersion ?? "",
    web_host: config.url ? config.url.origin + config.basePath : "",
    use_remote_runner: false,
    schedule_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
