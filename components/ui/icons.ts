// Made by tools/pick_icons.ts from Lucide (ISC licence, lucide.dev). Not edited by hand.
// deno-fmt-ignore-file
export type IconName =
  | "activity"
  | "back"
  | "bell"
  | "build"
  | "check"
  | "chevron_down"
  | "chevron_left"
  | "chevron_up"
  | "close"
  | "confirmed"
  | "copy"
  | "dashboard"
  | "delete"
  | "deploy"
  | "docs"
  | "download"
  | "drift"
  | "edit"
  | "environment"
  | "error"
  | "filter"
  | "git_credentials"
  | "group_rules"
  | "health"
  | "help"
  | "hosts"
  | "identity"
  | "info"
  | "integrations"
  | "inventory"
  | "keyboard"
  | "keys"
  | "language"
  | "lock"
  | "maximize"
  | "menu"
  | "moon"
  | "play"
  | "plus"
  | "queue"
  | "refresh"
  | "repositories"
  | "rerun"
  | "restore"
  | "runners"
  | "running"
  | "schedules"
  | "search"
  | "secret_storages"
  | "settings"
  | "sign_out"
  | "skipped"
  | "starting"
  | "stopped"
  | "success"
  | "sun"
  | "system"
  | "task"
  | "team"
  | "templates"
  | "toolchains"
  | "user"
  | "views"
  | "waiting"
  | "waiting_confirmation"
  | "warning"
  | "workflows"
;

/** Drawings for islands of any page. Imports of the other two files add theirs. */
export const ICONS = {
  check: "M20 6 9 17l-5-5",
  chevron_down: "M6 9l6 6 6-6",
  chevron_up: "M18 15l-6-6-6 6",
  close: "M18 6 6 18M6 6l12 12",
  copy: "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2",
  delete: "M10 11v6M14 11v6M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2",
  download: "M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5",
  error: "M2 12a10 10 0 1 0 20 0 10 10 0 1 0 -20 0M15 9l-6 6M9 9l6 6",
  filter: "M10 20a1 1 0 0 0 .55.9l2 1A1 1 0 0 0 14 21v-7a2 2 0 0 1 .52-1.34L21.74 4.67A1 1 0 0 0 21 3H3a1 1 0 0 0-.74 1.67l7.23 7.99A2 2 0 0 1 10 14z",
  help: "M2 12a10 10 0 1 0 20 0 10 10 0 1 0 -20 0M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17h.01",
  info: "M2 12a10 10 0 1 0 20 0 10 10 0 1 0 -20 0M12 16v-4M12 8h.01",
  maximize: "M8 3H5a2 2 0 0 0-2 2v3M21 8V5a2 2 0 0 0-2-2h-3M3 16v3a2 2 0 0 0 2 2h3M16 21h3a2 2 0 0 0 2-2v-3",
  plus: "M5 12h14M12 5v14",
  refresh: "M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16M8 16H3v5",
  success: "M2 12a10 10 0 1 0 20 0 10 10 0 1 0 -20 0M16 9l-5.5 5.5L8 12",
  warning: "M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01",
} as Record<IconName, string>;
