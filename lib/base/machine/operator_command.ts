/** Whether Callboard is an archive or a package, rather than its sources. */
export const isPackaged = (): boolean => Boolean(Deno.env.get("CALLBOARD_COMMAND"));

/**
 * Returns a command of this server as its operators type it. `bin/callboard` of the packages sets
 * the variable. Without it, Callboard runs from its sources.
 */
export const operatorCommand = (command: string): string =>
  `${Deno.env.get("CALLBOARD_COMMAND") || "deno task"} ${command}`;
