// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
// deno-lint-ignore no-control-regex
const CONTROL_BESIDES_LINES = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Whether a text of one line holds what no argument, file name or log line should. */
export const hasControl = (text: string): boolean => CONTROL.test(text);

/** The same for a text that may have several lines, and tabs in them. */
export const hasControlBesidesLines = (text: string): boolean => CONTROL_BESIDES_LINES.test(text);

/** Whether a text holds the one character that neither arguments nor variables of a process can. */
export const hasNul = (text: string): boolean => text.includes("\0");
