import { scrub } from "../base/scrub.ts";
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

/** Characters of an answer that are read. That of Elastic has a line for each event. */
const ANSWER_MAX = 1_000_000;

/** Returns a receiver that gets records by POST. */
export function httpsReceiver(settings: HttpsSettings, host: string): Receiver {
  const { url, format, token, ca } = settings;
  const { type, scheme, body } = FORMATS[format];
  const client = Deno.createHttpClient(ca ? { caCerts: [ca] } : {});
  const key = token ? reveal(token, "provider") : "";
  // Errors and answers can repeat the address, which may be as secret as the token.
  const failure = (text: string) => new Error(scrub(text, [url, key]).slice(0, 300).trim());
  return {
    name: "https",
    async send(records, signal) {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": type,
          ...key && { Authorization: `${scheme} ${key}` },
        },
        body: body(records, host),
        redirect: "manual",
        signal,
        client,
      }).catch((error) => {
        throw failure(String(error?.message ?? error));
      });
      const answer = await readStart(response);
      if (!response.ok) throw failure(`${response.status} ${answer}`);
      if (format === "elastic") requireStored(answer);
    },
  };
}

async function readStart(response: Response): Promise<string> {
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > ANSWER_MAX) break;
  }
  return text;
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
