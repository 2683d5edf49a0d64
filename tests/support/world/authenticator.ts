import { Buffer } from "node:buffer";
import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** Parts of an authenticator's answer that differ from a correct one. */
interface Deviation {
  /** The page's origin, as the browser reports it. */
  origin?: string;
  rpId?: string;
  counter?: number;
  /** Whether its owner has passed a fingerprint or PIN check. */
  verified?: boolean;
  challenge?: string;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const ATTESTED = 0x40;

/**
 * Creates a security key in software with one passkey. It answers as the browser and the key do
 * together.
 */
export function newAuthenticator(home: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  let count = 0;

  function parts(type: string, asked: { challenge: string }, deviation: Deviation, more: Buffer) {
    const { origin, rpId, counter = ++count, verified = true, challenge } = {
      ...home,
      challenge: asked.challenge,
      ...deviation,
    };
    const isNew = more.length > 0;
    const flags = USER_PRESENT | (verified ? USER_VERIFIED : 0) | (isNew ? ATTESTED : 0);
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    const data = Buffer.concat([sha256(rpId), Buffer.from([flags]), counted, more]);
    return { clientData, data };
  }

  const answer = (response: Record<string, string | string[]>) =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response,
    });

  return {
    /** Creates its passkey. */
    add(options: { challenge: string }, deviation: Deviation = {}): string {
      const { x, y } = publicKey.export({ format: "jwk" });
      // {kty: EC2, alg: ES256, crv: P-256, x, y} in CBOR.
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x!, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y!, "base64url"),
      ]);
      const length = Buffer.from([0, id.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const { clientData, data } = parts("webauthn.create", options, deviation, credential);
      // {fmt: "none", attStmt: {}, authData} in CBOR.
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["usb"],
      });
    },

    /** Signs in with its passkey. */
    signIn(options: { challenge: string }, deviation: Deviation = {}): string {
      const { clientData, data } = parts("webauthn.get", options, deviation, Buffer.alloc(0));
      const signed = Buffer.concat([data, sha256(clientData)]);
      return answer({
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
      });
    },
  };
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
