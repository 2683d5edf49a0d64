import { AsyncLocalStorage } from "node:async_hooks";
import { type Environment, readChoice } from "./settings/settings.ts";
import { createTally } from "./tally.ts";

/** The most important first. A log has the lines of its level and of those before it. */
const LEVELS = ["error", "warn", "info", "debug"] as const;
type Level = typeof LEVELS[number];
const FORMATS = ["json", "text"] as const;

/** Writes each event as one line. Fields must not hold secrets. */
export interface Log {
  (level: Level, event: string, fields?: Record<string, unknown>): void;
}

interface LogSettings {
  level: Level;
  /** "plain" has sentences for people, as they are, and problems as lines of text. */
  format: typeof FORMATS[number] | "plain";
}

const encoder = new TextEncoder();

/** Lines that standard error did not take: its disk is full, or its reader is gone. */
export const lostLines = createTally(() => performance.now());

/** A request that is being handled. */
interface RequestInHand {
  id: string;
  /** Person that the request is from, and the id of an API token if it has one. */
  from?: { account: string; token?: string };
}

/** The request that is being handled, also for what it has started and not awaited. */
export const requestInHand = new AsyncLocalStorage<RequestInHand>();

/**
 * Reads how a process logs. The default is for programs, or at a terminal for the person who starts
 * it. Throws ConfigError.
 */
export function readLogSettings(env: Environment): LogSettings {
  const chosen = {
    level: readChoice(env, "CALLBOARD_LOG_LEVEL", LEVELS, "info"),
    format: readChoice(env, "CALLBOARD_LOG_FORMAT", FORMATS, isAttended() ? "text" : "json"),
  };
  const isChosen = env.get("CALLBOARD_LOG_LEVEL") || env.get("CALLBOARD_LOG_FORMAT");
  return isAttended() && !isChosen ? { ...chosen, format: "plain" } : chosen;
}

const isAttended = () => Deno.stderr.isTerminal();

/** Creates a log that passes each line on. A line has no line break before its end. */
export function newLog(
  { level: most, format }: LogSettings,
  write: (line: string) => void,
): Log {
  return (level, event, fields = {}) => {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(most)) return;
    const id = requestInHand.getStore()?.id;
    const line = { ...id !== undefined && { request_id: id }, ...fields };
    const time = new Date().toISOString();
    if (format === "json") return write(jsonLine({ time, level, event, ...line }));
    if (format === "plain") {
      const { message } = fields;
      if (typeof message === "string") return write(sentenceOf(message));
      if (level === "info" || level === "debug") return;
    }
    write(textLine(time, level, event, line));
  };
}

/** Control and line characters that JSON leaves as they are, and that change how a line looks. */
const FORGING = /[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Returns JSON in which each character that could look like another line is an escape. */
const jsonLine = (value: unknown): string =>
  JSON.stringify(value)
    .replace(FORGING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Words that stand for themselves. Any other value is written in JSON. */
const PLAIN = /^[\w.:/+@,~[\]-]+$/;

function textLine(time: string, level: Level, event: string, fields: Record<string, unknown>) {
  const { message, ...others } = fields;
  const words = Object.entries(others).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${textOf(value)}`);
  const sentence = typeof message === "string" ? [sentenceOf(message)] : [];
  return [time, level.toUpperCase().padEnd(5), event, ...sentence, ...words].join(" ");
}

/** A sentence for people stands without quotes, but with its escapes. */
const sentenceOf = (message: string): string =>
  jsonLine(message).slice(1, -1).replaceAll('\\"', '"');

const textOf = (value: unknown): string =>
  typeof value === "string" && PLAIN.test(value) ? value : jsonLine(value);

/** Writes to standard error. A line that cannot be written is counted, because tasks must go on. */
function writeToStderr(line: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(line + "\n"));
  } catch {
    lostLines.add();
  }
}

/** The log of this process on standard error, by its settings. */
export const stderrLog: Log = (...line) => (own ??= newLog(ownSettings(), writeToStderr))(...line);
let own: Log | undefined;

/** Log of the requests on standard error, for which another setting decides than the level. */
export function createAccessLog(): Log {
  const { format } = ownSettings();
  return newLog({ level: "info", format: format === "plain" ? "text" : format }, writeToStderr);
}

/** A wrong setting stops the start with a sentence. Until then, lines are as without settings. */
function ownSettings(): LogSettings {
  try {
    return readLogSettings(Deno.env);
  } catch {
    return { level: "info", format: "json" };
  }
}

/** Returns the message of an error with its cause, as fields for a log line. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return {
    error: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
