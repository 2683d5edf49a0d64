// deno-lint-ignore-file no-import-prefix
import axe from "npm:axe-core@4.14.1";

/** The script that a page runs to look over itself. */
export const AXE_SCRIPT: string = axe.source;
