import type { HostResult, RunEvent } from "@/lib/execution/run/events.ts";
import { play, result, task } from "./reported_task.ts";

const hosts = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n + 1}.fra`);

const LB = hosts("lb", 2);
const WEB = hosts("web", 8);
const DB = hosts("db", 3);
const CACHE = hosts("cache", 3);

interface Step {
  role: string;
  name: string;
  /** Duration on most hosts. */
  seconds: number;
  action?: string;
  /** Selects the hosts that it changes. */
  changes?: (host: string) => boolean;
  diff?: string;
  /** Results that differ on some hosts. */
  odd?: Record<string, Partial<HostResult>>;
}

const ALL = () => true;
const NGINX = "/etc/nginx/sites-enabled/shop.conf";
const REDIS = "/etc/redis/redis.conf";

const NGINX_DIFF =
  `--- ${NGINX}\n+++ ${NGINX}\n@@ -11,5 +11,7 @@\n     location / {\n         proxy_pass http://shop;\n-        proxy_read_timeout 30s;\n+        proxy_read_timeout 60s;\n+        proxy_next_upstream error timeout http_502;\n+        proxy_next_upstream_tries 2;\n     }\n }\n`;
const SETTINGS_DIFF =
  '--- /srv/shop/settings.toml\n+++ /srv/shop/settings.toml\n@@ -3,4 +3,4 @@\n [shop]\n-release = "2026.1.4"\n+release = "2026.2.0"\n holidays = ["2026-12-24", "2026-12-31"]\n currency = "EUR"\n';
const REDIS_DIFF =
  `--- ${REDIS}\n+++ ${REDIS}\n@@ -58,2 +58,2 @@\n-maxmemory 512mb\n+maxmemory 1gb\n maxmemory-policy allkeys-lru\n`;
const FAILED = {
  status: "failed",
  message: "Status code was 502 and not [200]: HTTP Error 502: Bad Gateway",
} as const;
const AWAY = {
  status: "unreachable",
  message:
    "Failed to connect to the host via ssh: connect to host cache-3.fra port 22: No route to host",
} as const;

const PLAYS: [name: string, hosts: string[], steps: Step[]][] = [
  ["Every host", [...LB, ...WEB, ...DB, ...CACHE], [
    { role: "", name: "Gathering Facts", seconds: 3, action: "setup", odd: { [CACHE[2]]: AWAY } },
    { role: "", name: "Know the release", seconds: 1, action: "assert" },
    { role: "base", name: "Install packages", seconds: 6, action: "apt" },
    { role: "base", name: "Set the time zone", seconds: 1 },
    { role: "base", name: "Keep the clock right", seconds: 1, changes: (host) => host === DB[2] },
    { role: "base", name: "Open the firewall", seconds: 2, action: "template" },
  ]],
  ["Load balancers", LB, [
    { role: "nginx", name: "Install nginx", seconds: 4, action: "apt" },
    {
      role: "nginx",
      name: "Write the site",
      seconds: 1,
      action: "template",
      changes: ALL,
      diff: NGINX_DIFF,
    },
    { role: "nginx", name: "Reload nginx", seconds: 1, action: "service", changes: ALL },
  ]],
  ["Databases", DB, [
    { role: "postgresql", name: "Install PostgreSQL", seconds: 5, action: "apt" },
    { role: "postgresql", name: "Write pg_hba.conf", seconds: 1, action: "template" },
    {
      role: "postgresql",
      name: "Migrate the schema",
      seconds: 14,
      action: "command",
      changes: (host) => host === DB[0],
    },
  ]],
  ["Caches", CACHE.slice(0, 2), [
    { role: "redis", name: "Install Redis", seconds: 3, action: "apt" },
    {
      role: "redis",
      name: "Write redis.conf",
      seconds: 1,
      action: "template",
      changes: ALL,
      diff: REDIS_DIFF,
    },
    { role: "redis", name: "Restart Redis", seconds: 2, action: "service", changes: ALL },
  ]],
  ["Web servers", WEB, [
    { role: "shop", name: "Unpack the release", seconds: 8, action: "unarchive", changes: ALL },
    {
      role: "shop",
      name: "Write the settings",
      seconds: 1,
      action: "template",
      changes: ALL,
      diff: SETTINGS_DIFF,
    },
    { role: "shop", name: "Restart the shop", seconds: 4, action: "service", changes: ALL },
    { role: "shop", name: "Wait until it answers", seconds: 5, odd: { [WEB[4]]: FAILED } },
    { role: "shop", name: "Warm its pages up", seconds: 6 },
  ]],
];

/**
 * Yields the events of a plausible run that starts at `begun` and rolls out a release to a fleet of
 * web servers, databases and caches.
 */
export function* fleetRun(begun: number): Generator<RunEvent> {
  const gone = new Set<string>();
  let at = begun;
  let line = 1;
  for (const [name, hosts, steps] of PLAYS) {
    yield play(name, false, at);
    for (const { role, name, seconds, action = "command", changes, diff, odd } of steps) {
      const uuid = `${role}/${name}`;
      yield { ...task(uuid, at, line++), name, role, action } as RunEvent;
      let end = at;
      for (const [n, host] of hosts.filter((host) => !gone.has(host)).entries()) {
        const changed = changes?.(host) ?? false;
        const own = odd?.[host];
        // Some hosts are slower than others.
        const ms = seconds * (700 + (n * 7919) % 500) * (own ? 2 : 1);
        yield result(uuid, host, {
          status: changed ? "changed" : "ok",
          diff: changed ? diff ?? null : null,
          began: at,
          ended: at + ms,
          lines: { from: line, to: line++ },
          ...own,
        });
        end = Math.max(end, at + ms);
        // A failed or unreachable host has no further results.
        if (own) gone.add(host);
      }
      at = end + 200;
    }
  }
  yield { type: "end", at, lost: 0 };
}

/**
 * Yields the events of a check that starts at `begun`: the settings of three web servers and the
 * firewall of one database differ, one cache is away, and one command has no check mode.
 */
export function* fleetCheck(begun: number): Generator<RunEvent> {
  const differs = (file: string): Partial<HostResult> => ({
    status: "changed",
    changed: true,
    diff: SETTINGS_DIFF.replaceAll("/srv/shop/settings.toml", file),
  });
  const found: [name: string, odd: Record<string, Partial<HostResult>>][] = [
    ["Gathering Facts", { [CACHE[2]]: AWAY }],
    ["Open the firewall", { [DB[1]]: differs("/etc/nftables.conf") }],
    [
      "Write the settings",
      Object.fromEntries(WEB.slice(0, 3).map((host) => [host, differs("/srv/shop/settings.toml")])),
    ],
    [
      "Check the disk",
      Object.fromEntries(
        [...WEB, ...DB].map((host) => [host, { status: "skipped", unchecked: true }]),
      ),
    ],
  ];
  let at = begun;
  yield play("Every host", false, at);
  for (const [name, odd] of found) {
    yield { ...task(name, at), name, action: "template" } as RunEvent;
    for (const host of [...WEB, ...DB, ...CACHE]) {
      if (host === CACHE[2] && name !== "Gathering Facts") continue;
      yield result(name, host, { began: at, ended: at + 900, ...odd[host] });
    }
    at += 1000;
  }
  yield { type: "end", at, lost: 0, checkMode: [] };
}
