/** The colors by purpose: [light, dark]. They become `--name` and `bg-name`, `text-name`… */
export const THEME = {
  page: ["#f4f7f7", "#0f1516"],
  surface: ["#ffffff", "#161e20"],
  raised: ["#ffffff", "#1d2729"],
  sunken: ["#eaf0f0", "#222d30"],
  line: ["#d9e1e2", "#2c383b"],
  /** Borders of elements to type into or to press. */
  edge: ["#76868a", "#71858a"],
  text: ["#162124", "#e4ebec"],
  muted: ["#516267", "#a0b2b6"],

  accent: ["#0a6375", "#62c8d9"],
  accent_solid: ["#0b6879", "#0d7285"],
  accent_solid_hover: ["#085463", "#0a6172"],
  accent_soft: ["#dff0f2", "#12363d"],
  on_solid: ["#ffffff", "#ffffff"],

  danger: ["#a91f15", "#ff9d92"],
  danger_solid: ["#b42318", "#b8352a"],
  danger_solid_hover: ["#8f1a11", "#9c2b21"],
  danger_soft: ["#fde8e6", "#401d1a"],
  success: ["#14602f", "#74d69e"],
  success_soft: ["#dcf3e4", "#123020"],
  warning: ["#7f4300", "#f4bb6c"],
  warning_soft: ["#fdeed6", "#3b2a0e"],
  info: ["#1c48b0", "#a3bfff"],
  info_soft: ["#e4ebfd", "#1b2a4f"],

  drawer: ["#0c2f36", "#0b1b1f"],
  drawer_raised: ["#123d45", "#13282d"],
  drawer_active: ["#1b4f59", "#18363d"],
  drawer_line: ["#1f4a53", "#1c3439"],
  drawer_text: ["#e6f1f2", "#dbe7e9"],
  drawer_muted: ["#a9c6ca", "#96b1b6"],

  /** Avatars of projects, behind white letters. */
  avatar_red: ["#b3261e", "#b3261e"],
  avatar_blue: ["#1d5fb8", "#1d5fb8"],
  avatar_orange: ["#a34800", "#a34800"],
  avatar_green: ["#1c6b3c", "#1c6b3c"],

  /** Task output, dark in both themes. */
  log: ["#0d1416", "#0b1112"],
  log_text: ["#dde6e7", "#dde6e7"],
  log_muted: ["#8fa3a8", "#8fa3a8"],
  log_found: ["#143a42", "#143a42"],
  log_found_edge: ["#62c8d9", "#62c8d9"],
  log_failure: ["#3a1614", "#3a1614"],
  log_failure_edge: ["#ff8f85", "#ff8f85"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type ThemeColor = keyof typeof THEME;

const variables = (mode: 0 | 1) =>
  Object.entries(THEME).map(([name, colors]) => `--${name}:${colors[mode]};`).join("");

/**
 * The variables of both themes. The system decides, unless the document sets a theme. Paper is
 * always light.
 */
export const themeCss = [
  `:root{color-scheme:light;${variables(0)}}`,
  `@media screen and (prefers-color-scheme:dark){` +
  `:root:not([data-theme="light"]){color-scheme:dark;${variables(1)}}}`,
  `@media screen{:root[data-theme="dark"]{color-scheme:dark;${variables(1)}}}`,
].join("\n");

/** Color names for utility classes: `bg-accent_soft` is `background-color: var(--accent_soft)`. */
export const themeColors = Object.fromEntries(
  Object.keys(THEME).map((name) => [name, `var(--${name})`]),
) as Record<ThemeColor, string>;
