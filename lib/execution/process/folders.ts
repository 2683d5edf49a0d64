import { fileURLToPath } from "node:url";

/** Callboard's own folder. Anyone who can change it decides what the server does next. */
export const CODE = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** Folders of the data folder with a subfolder for each project, which its runs may change. */
export const PROJECT_FOLDERS = ["repositories", "galaxy", "homes", "known_hosts"];

/** Folders that all runs may read: Ansible itself, toolchains, and the demo's repository. */
export const READABLE = ["ansible", "toolchains", "demo.git"];
