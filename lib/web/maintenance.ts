import {
  type MaintenanceRow,
  msUntilEnd,
  phaseOf,
  readMaintenance,
} from "../access/maintenance.ts";
import { AppError } from "../base/errors.ts";
import { inTime } from "../base/time/in_time.ts";
import type { State } from "./state.ts";
import { isApi } from "./translate_errors.ts";

interface Asked {
  req: Request;
  url: URL;
  config: { basePath: string };
  state: State;
}

/** Seconds after which a caller may try again if no one knows the end. */
const RETRY_SECONDS = 300;
const READS = ["GET", "HEAD", "OPTIONS"];

/** Calls by GET that start something. */
const CHANGING_READ = /^\/api\/integrations\//;

/**
 * Requests that change something during maintenance: signing in and out, maintenance itself, checks
 * of the server, stopping tasks, and reports of runners about running tasks.
 */
const ALLOWED = [
  /^(\/api)?\/auth\//,
  /^\/(api|admin)\/maintenance(\/|$)/,
  /^\/(admin\/health|api\/health\/checks)$/,
  /^(\/api)?\/project\/\d+\/(tasks\/\d+\/stop|templates\/\d+\/stop_all_tasks)$/,
  /^\/api\/tasks\/\d+$/,
  /^\/queue$/,
  /^\/api\/runner\/(poll$|checks\/|tasks\/|token$)/,
  /^\/api\/internal\/runners$/,
];

/**
 * Returns the maintenance that a request has to know of, of which `asker` was read. Other reads of
 * the API, such as those of load balancers, need none, and work without the store.
 */
export async function maintenanceFor(
  ctx: Asked,
  asker: { maintenance: MaintenanceRow | null } | null,
): Promise<MaintenanceRow | null> {
  const { kv, clock } = ctx.state.deps;
  if (!asker && isApi(ctx) && !isChange(ctx)) return null;
  // A store that does not respond lets no change through either.
  const row = asker ? asker.maintenance : await inTime(readMaintenance(kv)).catch(() => null);
  return phaseOf(row, clock.now()) === "off" ? null : row;
}

/** Returns what the notice on pages shows of the maintenance of a request. */
export const shownMaintenance = ({ maintenance, deps }: State) => ({
  ...maintenance!,
  state: phaseOf(maintenance, deps.clock.now()),
});

/** Throws 503 for a request that would change something during maintenance. */
export function requireWritable(ctx: Asked): void {
  const { state: { maintenance, deps } } = ctx;
  const now = deps.clock.now();
  if (phaseOf(maintenance, now) !== "on" || !isChange(ctx)) return;
  if (ALLOWED.some((allowed) => allowed.test(pathOf(ctx)))) return;
  const { message, begins, ends } = maintenance!;
  const seconds = ends === null ? RETRY_SECONDS : Math.ceil(msUntilEnd(maintenance, now) / 1000);
  throw new AppError(
    503,
    ends === null ? "errors.maintenance" : "errors.maintenance_until",
    ends === null ? {} : { until: ends },
    {
      headers: { "Retry-After": String(seconds) },
      // One name for programs, whatever the sentence says.
      body: { code: "maintenance", maintenance: { message, begins, ends } },
    },
  );
}

const pathOf = ({ url, config }: Asked): string => url.pathname.slice(config.basePath.length);

const isChange = (ctx: Asked): boolean =>
  !READS.includes(ctx.req.method) || CHANGING_READ.test(pathOf(ctx));
