import type { CipherSuite } from "@hpke/core";
import { base64, base64urlnopad } from "@scure/base";
import { parseExact } from "../base/text/exact_json.ts";
import { conceal, isSecret, referenceOf, referTo, reveal, type Secret } from "../base/secret.ts";
import type { TestPlan } from "./connection_tests.ts";
import type { RunnerPlan } from "./protocol.ts";

/**
 * Hybrid public key encryption (RFC 9180) with the suite that all implementations have. It is
 * loaded on first use, because few servers have runners.
 */
const loadSuite = () => suite ??= createSuite();
let suite: Promise<CipherSuite> | undefined;

async function createSuite(): Promise<CipherSuite> {
  const { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } = await import("@hpke/core");
  return new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
}

/** Length of the sender's one-time public key, in front of the encrypted bytes. */
const ONE_TIME_KEY_LENGTH = 32;
/** The purpose, so that the key opens nothing that was sealed for another one. */
const INFO = new TextEncoder().encode("callboard runner plan 1");
/** A plan has an inventory, variables and keys. */
const PLAN_BYTES_MAX = 64 * 1024 * 1024;

/** Signs in front of each text of a plan, so that no text can pass for a secret. */
const [PLAIN, SECRET, REFERENCE] = ["=", "!", "?"];

interface RunnerKeys {
  /** The raw key in base64url. */
  publicKey: string;
  privateKey: JsonWebKey;
}

/** Creates the keys of a runner, which keeps the private one. */
export async function newRunnerKeys(): Promise<RunnerKeys> {
  const suite = await loadSuite();
  const { publicKey, privateKey } = await suite.kem.generateKeyPair();
  return {
    publicKey: base64urlnopad.encode(new Uint8Array(await suite.kem.serializePublicKey(publicKey))),
    privateKey: await crypto.subtle.exportKey("jwk", privateKey),
  };
}

/** Names a runner and a run, to which a plan is bound. */
export const boundTo = (runnerId: number, run: string): string => `${runnerId}/${run}`;

/** Imports the public key of a runner. */
async function recipientOf(publicKey: string): Promise<CryptoKey> {
  const { kem } = await loadSuite();
  return await kem.importKey("raw", base64urlnopad.decode(publicKey).buffer as ArrayBuffer, true);
}

/** Whether plans can be sealed to a key. Some texts encode no key, and some keys hide nothing. */
export async function isUsableKey(publicKey: string): Promise<boolean> {
  try {
    const suite = await loadSuite();
    await suite.seal({ recipientPublicKey: await recipientOf(publicKey) }, new ArrayBuffer(1));
    return true;
  } catch {
    return false;
  }
}

/**
 * Seals a plan to a runner's public key. The text opens only with the same `binding`,
 * which is that of the run: see `boundTo`.
 */
export const sealPlan = (
  plan: RunnerPlan | TestPlan,
  publicKey: string,
  binding: string,
): Promise<string> => sealText(planText(plan), publicKey, binding);

async function sealText(text: string, publicKey: string, binding: string): Promise<string> {
  const suite = await loadSuite();
  const recipientPublicKey = await recipientOf(publicKey);
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: INFO },
    await compress(text),
    new TextEncoder().encode(binding),
  );
  return base64.encode(await new Blob([enc, ct]).bytes());
}

/** Opens a plan. Throws if it was sealed to another key, or bound to something else. */
export const openPlan = async <P extends RunnerPlan | TestPlan = RunnerPlan>(
  text: string,
  privateKey: CryptoKey | JsonWebKey,
  binding: string,
): Promise<P> => readPlan(await openText(text, privateKey, binding));

async function openText(
  text: string,
  privateKey: CryptoKey | JsonWebKey,
  binding: string,
): Promise<string> {
  const suite = await loadSuite();
  const recipientKey = privateKey instanceof CryptoKey
    ? privateKey
    : await suite.kem.importKey("jwk", privateKey, false);
  const sealed = base64.decode(text);
  const opened = await suite.open(
    { recipientKey, info: INFO, enc: sealed.subarray(0, ONE_TIME_KEY_LENGTH) },
    sealed.subarray(ONE_TIME_KEY_LENGTH),
    new TextEncoder().encode(binding),
  );
  return await decompress(opened);
}

/**
 * Seals and opens a text once in this process. The first time takes 20 ms longer than later ones,
 * because code is loaded, so servers and runners do it while nothing is to be done.
 */
export const rehearse = (): Promise<void> => rehearsal ??= sealAndOpen();
let rehearsal: Promise<void> | undefined;

async function sealAndOpen(): Promise<void> {
  const { publicKey, privateKey } = await newRunnerKeys();
  await openText(await sealText("", publicKey, ""), privateKey, "");
}

const planText = (plan: object): string =>
  JSON.stringify(
    plan,
    (_, part) => isSecret(part) ? textOf(part) : typeof part === "string" ? PLAIN + part : part,
  );

function textOf(secret: Secret): string {
  const reference = referenceOf(secret);
  return reference ? REFERENCE + planText(reference) : SECRET + reveal(secret, "seal");
}

const readPlan = <P>(text: string): P =>
  parseExact(text, (part) => {
    if (typeof part !== "string") return part;
    const rest = part.slice(1);
    if (part.startsWith(REFERENCE)) return referTo(readPlan<object>(rest));
    return part.startsWith(SECRET) ? conceal(rest) : rest;
  }) as P;

const compress = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();

async function decompress(bytes: ArrayBuffer): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  const decompressed = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream("gzip"))
    .pipeThrough(new TextDecoderStream());
  for await (const text of decompressed) {
    length += text.length;
    if (length > PLAN_BYTES_MAX) throw new RangeError("The plan is too large");
    texts.push(text);
  }
  return texts.join("");
}
