import type { Section } from "../../base/paths.ts";

/** Action of a shortcut. Except for moving between rows, a visible element does the same. */
export type Deed =
  | { opens: "palette" | "shortcuts" }
  | { goes: Section }
  | { adds: true }
  /** Moves the focus to the next or previous row of a list. */
  | { moves: 1 | -1 }
  /** The browser or the focused element does it. */
  | { native: true }
  /** An open log does it: see lib/client/output/display.ts. */
  | { inLog: "next" | "previous" | "failure" | "full_screen" };

export interface Shortcut {
  /** Keys to press one after the other. `Mod` is held, and stands for Ctrl, or Cmd on a Mac. */
  keys: readonly string[];
  /** Locale key of its description. */
  does: string;
  deed: Deed;
}

/** All shortcuts, for the page that lists them and for the script that follows them. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ["Mod", "K"], does: "shortcuts.search", deed: { opens: "palette" } },
  { keys: ["/"], does: "shortcuts.search", deed: { opens: "palette" } },
  { keys: ["?"], does: "shortcuts.list", deed: { opens: "shortcuts" } },
  { keys: ["g", "h"], does: "sections.history", deed: { goes: "history" } },
  { keys: ["g", "t"], does: "sections.templates", deed: { goes: "templates" } },
  { keys: ["g", "f"], does: "sections.workflows", deed: { goes: "workflows" } },
  { keys: ["g", "s"], does: "sections.schedules", deed: { goes: "schedules" } },
  { keys: ["g", "i"], does: "sections.inventory", deed: { goes: "inventory" } },
  { keys: ["g", "o"], does: "sections.hosts", deed: { goes: "hosts" } },
  { keys: ["g", "d"], does: "sections.drift", deed: { goes: "drift" } },
  { keys: ["g", "e"], does: "sections.environment", deed: { goes: "environment" } },
  { keys: ["g", "k"], does: "sections.keys", deed: { goes: "keys" } },
  { keys: ["g", "r"], does: "sections.repositories", deed: { goes: "repositories" } },
  { keys: ["g", "c"], does: "sections.toolchains", deed: { goes: "toolchains" } },
  { keys: ["g", "w"], does: "sections.integrations", deed: { goes: "integrations" } },
  { keys: ["g", "u"], does: "sections.runners", deed: { goes: "runners" } },
  { keys: ["g", "a"], does: "sections.alerts", deed: { goes: "alerts" } },
  { keys: ["g", "m"], does: "sections.team", deed: { goes: "team" } },
  { keys: ["n"], does: "shortcuts.new", deed: { adds: true } },
  { keys: ["j"], does: "shortcuts.next", deed: { moves: 1 } },
  { keys: ["k"], does: "shortcuts.previous", deed: { moves: -1 } },
  { keys: ["Enter"], does: "shortcuts.open", deed: { native: true } },
  { keys: ["Esc"], does: "shortcuts.close", deed: { native: true } },
  { keys: ["n"], does: "shortcuts.next_found", deed: { inLog: "next" } },
  { keys: ["N"], does: "shortcuts.previous_found", deed: { inLog: "previous" } },
  { keys: ["e"], does: "shortcuts.first_failure", deed: { inLog: "failure" } },
  { keys: ["f"], does: "shortcuts.full_screen", deed: { inLog: "full_screen" } },
];
