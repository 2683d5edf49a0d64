// deno-lint-ignore-file no-import-prefix
// @ts-types="npm:axe-core@4.14.1"
import axe from "npm:axe-core@4.14.1/axe.min.js";

/** The script that checks the accessibility of a page. */
export const AXE_SCRIPT: string = axe.source;
