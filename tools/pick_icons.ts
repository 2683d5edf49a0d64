import { join } from "node:path";

/** Our name of each icon -> its name in Lucide. Other icons are not shipped. */
const PICKED = {
  activity: "activity",
  back: "arrow-left",
  bell: "bell",
  build: "hammer",
  check: "check",
  chevron_down: "chevron-down",
  chevron_left: "chevron-left",
  chevron_up: "chevron-up",
  close: "x",
  confirmed: "check-check",
  copy: "copy",
  dashboard: "layout-dashboard",
  delete: "trash",
  deploy: "rocket",
  docs: "book-open",
  download: "download",
  drift: "git-compare",
  edit: "pencil",
  environment: "braces",
  error: "circle-x",
  filter: "funnel",
  help: "circle-question-mark",
  info: "info",
  integrations: "webhook",
  inventory: "server",
  keyboard: "keyboard",
  git_credentials: "folder-key",
  group_rules: "user-cog",
  health: "heart-pulse",
  hosts: "computer",
  identity: "id-card",
  keys: "key-round",
  language: "languages",
  lock: "lock",
  maximize: "maximize",
  menu: "menu",
  moon: "moon",
  play: "play",
  plus: "plus",
  queue: "list-ordered",
  refresh: "refresh-cw",
  repositories: "folder-git-2",
  rerun: "rotate-ccw",
  restore: "archive-restore",
  runners: "cpu",
  running: "loader-circle",
  schedules: "calendar-clock",
  search: "search",
  secret_storages: "vault",
  settings: "sliders-horizontal",
  sign_out: "log-out",
  skipped: "circle-slash",
  starting: "circle-play",
  stopped: "circle-stop",
  success: "circle-check",
  sun: "sun",
  system: "monitor",
  task: "settings",
  team: "users",
  templates: "list-checks",
  toolchains: "wrench",
  user: "user",
  views: "panels-top-left",
  waiting: "clock",
  waiting_confirmation: "circle-pause",
  warning: "triangle-alert",
  workflows: "workflow",
} as const;

// Not a plain import, because type checks and installs would then fetch the whole package of 67 MB.
const LUCIDE = "npm:lucide-static@1.62.0/icon-nodes.json";

type Nodes = Record<string, [tag: string, shape: Shape][]>;

/** Attributes of the shapes that Lucide's icons consist of. */
type Shape = Record<string, string>;

/** Paths of the shapes, which begin with an absolute position. */
const PATHS: Record<string, (shape: Shape) => string> = {
  path: ({ d }) => startedAbsolutely(d),
  line: ({ x1, y1, x2, y2 }) => `M${x1} ${y1}L${x2} ${y2}`,
  circle: ({ cx, cy, r }) =>
    `M${Number(cx) - Number(r)} ${cy}a${r} ${r} 0 1 0 ${2 * Number(r)} 0 ` +
    `${r} ${r} 0 1 0 ${-2 * Number(r)} 0`,
  rect: ({ x, y, width, height, rx = "0", ry = rx }) => {
    const [across, down] = [Number(width) - 2 * Number(rx), Number(height) - 2 * Number(ry)];
    const corner = (dx: string, dy: string) => Number(rx) ? `a${rx} ${ry} 0 0 1 ${dx} ${dy}` : "";
    return `M${Number(x) + Number(rx)} ${y}h${across}${corner(rx, ry)}v${down}` +
      `${corner(`-${rx}`, ry)}h${-across}${corner(`-${rx}`, `-${ry}`)}v${-down}` +
      `${corner(rx, `-${ry}`)}z`;
  },
};

/** The first position of a path is always absolute, but not if the path follows another one. */
const startedAbsolutely = (d: string): string =>
  d.replace(
    /^m(-?\d*\.?\d+[ ,]?-?\d*\.?\d+)[ ,]?(?=([-\d.])?)/,
    (_, position, more) => `M${position}${more ? "l" : ""}`,
  );

/**
 * Writes `components/ui/icons.ts` with one path for each picked icon, because each shape would be
 * an element of its own in each row of a list.
 */
async function pickIcons(root: string): Promise<void> {
  const { default: nodes } = await import(LUCIDE, { with: { type: "json" } }) as { default: Nodes };
  const lines = Object.entries(PICKED).map(([name, lucideName]) => {
    const paths = nodes[lucideName].map(([tag, shape]) => PATHS[tag](shape));
    return `  ${name}: ${JSON.stringify(paths.join(""))},\n`;
  });
  const text =
    "// Made by tools/pick_icons.ts from Lucide (ISC licence, lucide.dev). Not edited by hand.\n" +
    "// deno-fmt-ignore-file\n" +
    `export const ICONS = {\n${lines.join("")}} as const;\n`;
  await Deno.writeTextFile(join(root, "components/ui/icons.ts"), text);
}

// deno run --no-lock --node-modules-dir=none -A tools/pick_icons.ts
if (import.meta.main) await pickIcons(join(import.meta.dirname!, ".."));
