import { AwsV4Signer } from "aws4fetch";
import { createHash } from "node:crypto";
import { bodyChunks } from "../../http/body.ts";
import { AppError } from "../../base/errors.ts";
import { exchange, openAnswer } from "../../http/exchange.ts";
import { answerStart, type OutgoingAnswer } from "../../http/outgoing.ts";
import { ConfigError } from "../../base/settings/settings.ts";

/** A bucket, and the keys of an account that may use it. */
export interface Bucket {
  /** Address of the service, without the bucket. */
  endpoint: string;
  bucket: string;
  /** Start of the names of all objects, which ends with a slash unless it is empty. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is in the path, and not in front of the host. */
  pathStyle: boolean;
}

interface StoredObject {
  /** Without the prefix. */
  name: string;
  size: number;
}

interface S3Request {
  method?: "GET" | "PUT" | "POST" | "DELETE";
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

/** Time for one exchange, of at most one part. */
const LIMIT_MS = 5 * 60_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** S3 lists at most this many objects in one answer. */
const PAGES_MAX = 100;

/** The service refused a request. */
class S3Error extends Error {
  override name = "S3Error";
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** Returns the address of an object, or of the bucket for an empty name. */
function addressOf({ endpoint, bucket, prefix, pathStyle }: Bucket, name: string): URL {
  const url = new URL(endpoint);
  const parts = name === "" ? [] : (prefix + name).split("/").map(encodeURIComponent);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  url.pathname = [path, ...pathStyle ? [bucket] : [], ...parts].join("/") || "/";
  return url;
}

async function signed(
  bucket: Bucket,
  name: string,
  { method = "GET", query = {}, ...more }: S3Request,
) {
  const url = addressOf(bucket, name);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const body = more.body ?? new Uint8Array();
  // The service checks what has arrived by this.
  const sum = createHash("sha256").update(body).digest("hex");
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...more.headers, "x-amz-content-sha256": sum },
    ...more.body && { body: more.body },
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: bucket.secretAccessKey,
    service: "s3",
    region: bucket.region,
  });
  const { url: to, headers } = await signer.sign();
  return { to, request: { method, headers: Object.fromEntries(headers), body: more.body } };
}

/** Sends a request for an object, or for the bucket. Returns the answer with its text. */
async function ask(bucket: Bucket, name: string, sent: S3Request, signal?: AbortSignal) {
  const { to, request } = await signed(bucket, name, sent);
  return await exchange(to, { ...request, limitMs: LIMIT_MS, signal }, async (answer) => {
    const text = await answerStart(answer, ANSWER_BYTES_MAX);
    requireFine(answer, text);
    return { headers: answer.headers, text };
  });
}

/** Some failures have the status 200, because the answer began before the work was done. */
function requireFine({ status }: Pick<OutgoingAnswer, "status">, text: string): void {
  const isError = /<Error[\s>]/.test(text.slice(0, 300));
  if (status < 300 && !isError) return;
  const code = elementsOf(text, "Code")[0] ?? "";
  const message = elementsOf(text, "Message")[0] ?? "";
  const why = [code, message].filter(Boolean).join(": ").slice(0, 300).replace(/\p{Cc}+/gu, " ");
  throw new S3Error(status, code, `the service answered ${status} ${why}`.trim());
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Returns the texts of all elements of a name. Those that are read here contain no others. */
function elementsOf(xml: string, name: string): string[] {
  return xml.split(`<${name}>`).slice(1).flatMap((rest) => {
    const text = rest.split("<", 1)[0]!;
    return rest.startsWith(`</${name}>`, text.length) ? [text] : [];
  }).map((text) =>
    text.replace(
      /&(?:#(\d{1,6})|(\w{2,4}));/g,
      (all, code, entity) => code ? String.fromCodePoint(Number(code)) : ENTITIES[entity] ?? all,
    )
  );
}

/** Returns the objects of a bucket below its prefix. */
export async function listObjects(bucket: Bucket, signal?: AbortSignal): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  let next: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = {
      "list-type": "2",
      prefix: bucket.prefix,
      ...next && { "continuation-token": next },
    };
    const { text } = await ask(bucket, "", { query }, signal);
    // Without the end of the list, the page of a proxy would be a bucket without backups.
    if (!/<\/ListBucketResult>\s*$/.test(text)) {
      throw new Error("the service answered something else than a list of objects");
    }
    for (const contents of text.split("<Contents>").slice(1)) {
      const [key, size] = [elementsOf(contents, "Key")[0], elementsOf(contents, "Size")[0]];
      if (!key?.startsWith(bucket.prefix)) continue;
      found.push({ name: key.slice(bucket.prefix.length), size: Number(size) });
    }
    next = elementsOf(text, "NextContinuationToken")[0];
    if (!next) return found;
  }
  throw new Error(`the bucket has too many objects below "${bucket.prefix}"`);
}

export async function removeObject(bucket: Bucket, name: string): Promise<void> {
  await ask(bucket, name, { method: "DELETE" });
}

/** S3 has no names to change, so the object is copied within the service. */
export async function renameObject(bucket: Bucket, name: string, to: string): Promise<void> {
  const source = addressOf({ ...bucket, endpoint: "http://s3", pathStyle: true }, name).pathname;
  await ask(bucket, to, { method: "PUT", headers: { "x-amz-copy-source": source } });
  await removeObject(bucket, name);
}

/** Parts that have arrived. With it, an upload that was interrupted continues. */
export interface UploadProgress {
  id: string;
  etags: string[];
}

/** S3 takes parts of at least 5 MiB. One is in memory at a time. */
export const PART_BYTES = 16 * 1024 * 1024;

/** Begins an upload in parts. */
export async function beginUpload(bucket: Bucket, name: string): Promise<UploadProgress> {
  const { text } = await ask(bucket, name, { method: "POST", query: { uploads: "" } });
  const [id] = elementsOf(text, "UploadId");
  if (!id) throw new Error("the service answered no UploadId");
  return { id, etags: [] };
}

export async function uploadPart(
  bucket: Bucket,
  name: string,
  { id, etags }: UploadProgress,
  body: Uint8Array<ArrayBuffer>,
  signal?: AbortSignal,
): Promise<string> {
  const query = { partNumber: String(etags.length + 1), uploadId: id };
  const { headers } = await ask(bucket, name, { method: "PUT", query, body }, signal);
  return headers.get("etag") ?? "";
}

export async function completeUpload(
  bucket: Bucket,
  name: string,
  { id, etags }: UploadProgress,
): Promise<void> {
  const parts = etags.map((etag, n) =>
    `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag.replaceAll("&", "&amp;")}</ETag></Part>`
  );
  const xml = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const body = new TextEncoder().encode(xml);
  await ask(bucket, name, { method: "POST", query: { uploadId: id }, body });
}

/** Whether an upload in parts, or one of its parts, is gone at the service, or it was completed. */
export const isGone = (error: unknown): boolean =>
  error instanceof S3Error && ["NoSuchUpload", "InvalidPart"].includes(error.code);

/** Stores an object of at most one part. */
export async function putObject(
  bucket: Bucket,
  name: string,
  body: Uint8Array<ArrayBuffer>,
  signal?: AbortSignal,
): Promise<void> {
  await ask(bucket, name, { method: "PUT", body }, signal);
}

/** Writes an object to a file. */
export async function fetchObject(bucket: Bucket, name: string, to: string): Promise<void> {
  const { to: url, request } = await signed(bucket, name, {});
  using answer = await openAnswer(url, { ...request, limitMs: LIMIT_MS });
  if (answer.status !== 200) requireFine(answer, await answerStart(answer, ANSWER_BYTES_MAX));
  const partial = `${to}.partial`;
  try {
    const file = await Deno.open(partial, {
      ...{ create: true, write: true, truncate: true },
      mode: 0o600,
    });
    await ReadableStream.from(bodyChunks(answer, Infinity)).pipeTo(file.writable);
    await Deno.rename(partial, to);
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error instanceof AppError
      ? new ConfigError(`The service did not send all of ${name}. Try again.`, { cause: error })
      : error;
  }
}
