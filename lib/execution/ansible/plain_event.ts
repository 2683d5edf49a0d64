import type { LineRange } from "../log/marks.ts";
import {
  emptyRecap,
  type HostRecap,
  type HostResult,
  RECAP_COUNTS,
  type ResultStatus,
  type RunEvent,
} from "../run/events.ts";
import { plainTree } from "./full_result.ts";
import type { WireEvent } from "./wire.ts";

/** Most characters of JSON that are stored. The callback sends fewer, plus notes on its cuts. */
const FULL_LENGTH_MAX = 24 * 1024;
const FACTS_LENGTH_MAX = 56 * 1024;

type WireText = string | [string];
type Plain = (text: WireText) => string;

/** Returns a function that masks texts. A text that was cut ends with a sign of that. */
export const plainTexts = (mask: (text: string, cut: boolean) => string): Plain => (text) => {
  if (typeof text === "string") return mask(text, false);
  return `${mask(text[0], true)}…`;
};

/** Returns an event with its texts masked and with the lines that belong to it. */
export function plainEvent(event: WireEvent, plain: Plain, lines: LineRange | null): RunEvent {
  switch (event.e) {
    case "play":
      return { type: "play", name: plain(event.n), free: event.free, at: event.at, lines };
    case "task":
      return {
        type: "task",
        uuid: event.u,
        name: plain(event.n),
        action: plain(event.a),
        role: plain(event.r),
        path: plain(event.p),
        line: event.l,
        handler: event.hd,
        at: event.at,
        lines,
      };
    case "line":
      return { type: "line", uuid: event.u, host: plain(event.h), lines };
    case "result":
      return plainResult(event, plain, lines);
    case "facts": {
      const facts = plainTree(event.v, plain, FACTS_LENGTH_MAX);
      return { type: "facts", host: plain(event.h), facts };
    }
    case "include":
      return { type: "include", hosts: event.hosts.map(plain) };
    case "recap": {
      const hosts = event.hosts.map(([host, counts]) => [plain(host), recapOf(counts)] as const);
      return { type: "recap", hosts: new Map(hosts) };
    }
    case "end":
      return {
        type: "end",
        at: event.at,
        lost: event.lost,
        ...event.cm && { checkMode: event.cm.map(plain) },
      };
  }
}

type WireResult = Extract<WireEvent, { e: "result" }>;

const plainResult = (event: WireResult, plain: Plain, lines: LineRange | null): HostResult => ({
  type: "result",
  uuid: event.u,
  host: plain(event.h),
  status: statusOf(event),
  changed: event.c,
  began: Math.min(event.b, event.at),
  ended: event.at,
  items: event.i ?? null,
  hidden: event.hid,
  unchecked: event.un,
  carriedOut: event.co,
  delegatedTo: plain(event.to),
  message: plain(event.msg),
  itemResults: event.it.map(([status, label, message]) => ({
    status,
    label: plain(label),
    message: plain(message),
  })),
  diff: event.d === undefined ? null : plain(event.d),
  diffSize: event.ds,
  lines,
  full: event.f && plainTree(event.f, plain, FULL_LENGTH_MAX),
});

function statusOf({ s, c, ig, re }: WireResult): ResultStatus {
  if (ig) return "ignored";
  if (re) return "rescued";
  return s === "ok" && c ? "changed" : s;
}

function recapOf(counts: number[]): HostRecap {
  const recap = emptyRecap();
  RECAP_COUNTS.forEach((name, n) => recap[name] = counts[n]);
  return recap;
}
