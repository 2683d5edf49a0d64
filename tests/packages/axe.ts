// deno-lint-ignore-file no-import-prefix
import axe from "npm:axe-core@4.14.1";

/** The script that checks the accessibility of a page. */
export const AXE_SCRIPT: string = axe.source;
