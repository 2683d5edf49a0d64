import { join } from "node:path";

/** Our name of each icon -> its name in Lucide. Other icons are not shipped. */
const PICKED = {
  activity: "activity",
  back: "arrow-left",
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
  edit: "pencil",
  environment: "braces",
  error: "circle-x",
  filter: "funnel",
  help: "circle-question-mark",
  info: "info",
  integrations: "webhook",
  inventory: "server",
  keyboard: "keyboard",
  keys: "key-round",
  language: "languages",
  lock: "lock",
  maximize: "maximize",
  menu: "menu",
  moon: "moon",
  play: "play",
  plus: "plus",
  refresh: "refresh-cw",
  repositories: "folder-git-2",
  rerun: "rotate-ccw",
  restore: "archive-restore",
  running: "loader-circle",
  schedules: "calendar-clock",
  search: "search",
  settings: "sliders-horizontal",
  sign_out: "log-out",
  starting: "circle-play",
  stopped: "circle-stop",
  success: "circle-check",
  sun: "sun",
  system: "monitor",
  task: "settings",
  team: "users",
  templates: "list-checks",
  user: "user",
  waiting: "clock",
  waiting_confirmation: "circle-pause",
  warning: "triangle-alert",
} as const;

// Not a plain import, because type checks and installs would then fetch the whole package of 67 MB.
const LUCIDE = "npm:lucide-static@1.62.0/icon-nodes.json";

type Nodes = Record<string, [tag: string, attributes: Record<string, string>][]>;

/** Writes `components/ui/icons.tsx` with the content of each picked icon's `<svg>`. */
async function pickIcons(root: string): Promise<void> {
  const { default: nodes } = await import(LUCIDE, { with: { type: "json" } }) as { default: Nodes };
  const lines = Object.entries(PICKED).map(([name, lucideName]) => {
    const shapes = nodes[lucideName].map(([tag, attributes]) =>
      `<${tag}${Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`).join("")}/>`
    );
    const all = shapes.join("");
    return `  ${name}: () => ${shapes.length === 1 ? all : `<>${all}</>`},\n`;
  });
  const text =
    "// Made by scripts/pick_icons.ts from Lucide (ISC licence, lucide.dev). Not edited by hand.\n" +
    "// deno-fmt-ignore-file\n" +
    `export const ICONS = {\n${lines.join("")}} as const;\n`;
  await Deno.writeTextFile(join(root, "components/ui/icons.tsx"), text);
}

// deno run --no-lock --node-modules-dir=none -A scripts/pick_icons.ts
if (import.meta.main) await pickIcons(join(import.meta.dirname!, ".."));
