// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
// deno-lint-ignore no-control-regex
const CONTROL_BESIDES_LINES = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Whether a single-line text holds characters that no argument, file name or log line should have.
 */
export const hasControl = (text: string): boolean => CONTROL.test(text);

/** Same as `hasControl`, for a text that may have several lines and tabs. */
export const hasControlBesidesLines = (text: string): boolean => CONTROL_BESIDES_LINES.test(text);

/** Whether a text holds NUL, which arguments and variables of a process cannot contain. */
export const hasNul = (text: string): boolean => text.includes("\0");

/** Whether a text can be the value of a header of HTTP: a line of Latin-1. */
export const isHeaderValue = (text: string): boolean => /^[\x20-\x7e\xa0-\xff]*$/.test(text);
