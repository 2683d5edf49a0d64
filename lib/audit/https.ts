import { exchange, openPool } from "../http/exchange.ts";
import { answerStart } from "../http/outgoing.ts";
import { scrub } from "../base/text/scrub.ts";
import { reveal } from "../base/secret.ts";
import type { AuditRecord } from "./record.ts";
import type { AuditSettings } from "./settings.ts";
import type { Receiver } from "./sink.ts";

type HttpsSettings = NonNullable<AuditSettings["https"]>;

const lines = (values: readonly object[]): string =>
  values.map((value) => JSON.stringify(value) + "\n").join("");

/**
 * Members whose own members have other types in each event. Elastic would fix a type for each one,
 * and refuse events for which it is another.
 */
const textsOf = ({ params, changes }: AuditRecord) => ({
  params: JSON.stringify(params),
  changes: changes && JSON.stringify(changes),
});

/** Bodies of each format, and the word before the token in the header. */
const FORMATS = {
  json: { type: "application/x-ndjson", scheme: "Bearer", body: lines },
  // https://help.splunk.com: HTTP Event Collector takes several events in one body.
  splunk: {
    type: "application/json",
    scheme: "Splunk",
    body: (records: readonly AuditRecord[], host: string) =>
      lines(records.map((event) => ({
        time: Date.parse(event.time) / 1000,
        host,
        source: "callboard",
        sourcetype: "callboard:audit",
        event,
      }))),
  },
  // https://www.elastic.co: "create" refuses an id that exists, so nothing is stored twice.
  elastic: {
    type: "application/x-ndjson",
    scheme: "ApiKey",
    body: (records: readonly AuditRecord[]) =>
      lines(records.flatMap((record) => [
        { create: { _id: record.id } },
        { "@timestamp": record.time, ...record, ...textsOf(record) },
      ])),
  },
} as const;

const LIMIT_MS = 15_000;
/** Part of an answer that is read. That of Elastic has a line for each event. */
const ANSWER_BYTES_MAX = 1_000_000;

/** Returns a receiver that gets records by POST. */
export function httpsReceiver(settings: HttpsSettings, host: string): Receiver {
  const { url, format, token, ca } = settings;
  const { type, scheme, body } = FORMATS[format];
  const pool = openPool({ ca: ca ? [ca] : [] });
  const key = token ? reveal(token, "provider") : "";
  // Errors and answers can repeat the address, which may be as secret as the token.
  const failure = (text: string) => new Error(scrub(text, [url, key]).slice(0, 300).trim());
  return {
    name: "https",
    async send(records, signal) {
      const { isOk, status, answer } = await exchange(url, {
        method: "POST",
        headers: {
          "Content-Type": type,
          ...key && { Authorization: `${scheme} ${key}` },
        },
        body: body(records, host),
        limitMs: LIMIT_MS,
        signal,
        pool,
      }, async (answer) => ({
        isOk: answer.status >= 200 && answer.status < 300,
        status: answer.status,
        answer: await answerStart(answer, ANSWER_BYTES_MAX),
      })).catch((error) => {
        throw failure(String(error?.message ?? error));
      });
      if (!isOk) throw failure(`${status} ${answer}`);
      if (format === "elastic") requireStored(answer);
    },
  };
}

interface BulkAnswer {
  errors?: boolean;
  items?: { create?: { status: number; error?: { reason?: string } } }[];
}

/** Status of a record that Elastic has already. */
const EXISTS = 409;

/** Throws if Elastic has refused a record for another reason than that it has it already. */
function requireStored(answer: string): void {
  const { errors, items = [] } = JSON.parse(answer) as BulkAnswer;
  if (!errors) return;
  const refused = items.find(({ create }) =>
    create && create.status >= 300 && create.status !== EXISTS
  );
  if (!refused) return;
  const { status, error } = refused.create!;
  throw new Error(`${status} ${error?.reason ?? ""}`.trim());
}
