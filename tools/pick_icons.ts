import { join } from "node:path";

/** Our name of each icon -> its name in Lucide. Other icons are not shipped. */
const PICKED: Record<string, string> = {
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
 * Rounds to hundredths, which no one can see: an icon is 24 wide. A number may follow flags of an
 * arc without a space, such as "001.999", and then stays. One that begins with its point may follow
 * another number without a space.
 */
const rounded = (d: string): string =>
  d.replace(/(?:(?<!\d)|(?<=\.\d+))(?:[1-9]\d*|0)?\.\d{3,}(?=(\.?))/g, (number, point) => {
    const text = String(Math.round(Number(number) * 100) / 100).replace(/^0(?=\.)/, "");
    return point && !text.includes(".") ? `${text} ` : text;
  });

/** Icons that islands of any page draw, without those that only `IN_HEADS` draw. */
const IN_ISLANDS = [
  ..."check chevron_down chevron_up close copy delete download error filter help info".split(" "),
  ..."maximize plus refresh success warning".split(" "),
];

/** Further icons of the heads of tasks that run. */
const IN_HEADS = [
  ..."build confirmed drift environment inventory keys play repositories".split(" "),
  ..."rerun running starting stopped task toolchains user waiting waiting_confirmation".split(" "),
];

/**
 * Writes the icons to `components/ui/`, with one path for each, because each shape would be an
 * element of its own in each row of a list. They are in three files, so that browsers load those
 * that the islands of their page draw.
 */
async function pickIcons(root: string): Promise<void> {
  const { default: nodes } = await import(LUCIDE, { with: { type: "json" } }) as { default: Nodes };
  const linesOf = (names: string[]) =>
    names.toSorted().map((name) => {
      const paths = nodes[PICKED[name]].map(([tag, shape]) => rounded(PATHS[tag](shape)));
      return `  ${name}: ${JSON.stringify(paths.join(""))},\n`;
    }).join("");
  const all = Object.keys(PICKED);
  const write = (file: string, text: string) =>
    Deno.writeTextFile(
      join(root, "components/ui", file),
      "// Made by tools/pick_icons.ts from Lucide (ISC licence, lucide.dev). Not edited by hand.\n" +
        `// deno-fmt-ignore-file\n${text}`,
    );
  const more = (names: string[]) =>
    `import { ICONS } from "./icons.ts";\n\nObject.assign(ICONS, {\n${linesOf(names)}});\n`;
  await write(
    "icons.ts",
    `export type IconName =\n${all.toSorted().map((name) => `  | "${name}"\n`).join("")};\n\n` +
      "/** Drawings for islands of any page. Imports of the other two files add theirs. */\n" +
      `export const ICONS = {\n${linesOf(IN_ISLANDS)}} as Record<IconName, string>;\n`,
  );
  await write("icons_of_heads.ts", more(IN_HEADS));
  await write("all_icons.ts", more(all.filter((name) => !IN_ISLANDS.includes(name))));
}

// deno run --no-lock --node-modules-dir=none -A tools/pick_icons.ts
if (import.meta.main) await pickIcons(join(import.meta.dirname!, ".."));
