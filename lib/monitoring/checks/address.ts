import { isLocked } from "../../base/machine/data_lock.ts";
import { type Config, isShared, localAddress } from "../../base/settings/config.ts";
import { whyOf } from "../../base/why.ts";
import { ask } from "./ask.ts";
import { checkCertificate } from "./certificate.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";
import { createProbe, PROBE_HEADER, type ProbeAnswer } from "./probe.ts";

const PING = "/api/ping";
const PROBE = "/api/probe";
/** An address of documentation (RFC 5737), which no visitor has. */
const MADE_UP = "192.0.2.77";

const SOCKET = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "Y2FsbGJvYXJkIGRvY3Rvcg==",
};

/** Requests the public address as a visitor does, and looks at what arrives. */
export async function checkAddress(checkUp: CheckUp): Promise<Finding[]> {
  const { config } = checkUp;
  const local = localBase(config);
  if (!config.url) return [problem("ok", "doctor.address.none", { local })];
  const url = config.url.origin + config.basePath;
  if (checkUp.instance === null && !await isLocked(config.dataDir)) {
    return [problem("warning", "doctor.address.stopped", { url })];
  }
  const certificate = checkCertificate(config.url, checkUp.clock);
  const reached = await ping(url, local);
  if (reached.level !== "ok") return [reached, ...await certificate];
  return [reached, ...await probe(checkUp, url, local), ...await certificate];
}

/** Returns the address without the proxy, or the socket, which is not asked. */
function localBase(config: Config): string {
  const address = localAddress({ ...config, host: LOOPBACK[config.host] ?? config.host });
  return address === null ? `unix:${config.socket!.path}` : address + config.basePath;
}

const LOOPBACK: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

async function ping(url: string, local: string): Promise<Finding> {
  let answer;
  try {
    answer = await ask(url + PING);
  } catch (error) {
    return problem("failed", "doctor.address.unreachable", { url, why: whyOf(error).text });
  }
  const { status, headers, text } = answer;
  const location = headers.get("location");
  const params = { url, status: String(status), local };
  if (status === 200 && text === "pong") return fine("doctor.address.reached", { url });
  if (status >= 300 && status < 400 && location) {
    const to = URL.parse(location, url)?.href.replace(/\/api\/ping$/, "") ?? location;
    return problem("failed", "doctor.address.redirects", { url, to: to.slice(0, 200) });
  }
  if (status >= 502 && status <= 504) return problem("failed", "doctor.address.gateway", params);
  return problem("failed", "doctor.address.other", params);
}

/** Asks the server behind the address what it sees, over a request, a stream and a socket. */
async function probe(checkUp: CheckUp, url: string, local: string): Promise<Finding[]> {
  const { config, secrets, clock } = checkUp;
  if (!secrets) return [];
  const { nonce, header } = await createProbe(secrets, clock);
  const send = (base: string, headers: Record<string, string> = {}) =>
    ask(base + PROBE, { [PROBE_HEADER]: header, ...headers }).catch(() => null);
  const [seen, own, stream, socket] = await Promise.all([
    send(url, { "x-forwarded-for": MADE_UP }),
    checkUp.instance === null && !config.socket ? send(local) : null,
    send(url, { accept: "text/event-stream" }),
    send(url, SOCKET),
  ]);
  const answer = answerOf(seen?.text);
  const instance = checkUp.instance ?? answerOf(own?.text)?.instance ?? answer?.instance;
  if (answer?.nonce !== nonce || (answer.instance !== instance && !isShared(config))) {
    return [problem("failed", "doctor.address.another", { url, local })];
  }
  const isStreamed = stream?.status === 200 && stream.waits > 1;
  return [
    ...findForwarding(config, answer),
    isStreamed ? fine("doctor.address.streams") : problem("failed", "doctor.address.buffers"),
    socket?.status === 101
      ? fine("doctor.address.sockets")
      : problem("failed", "doctor.address.no_sockets", { status: String(socket?.status ?? "–") }),
  ];
}

/** Compares the headers of a proxy with CALLBOARD_TRUST_PROXY. */
export function findForwarding(
  { trustProxy, url }: Pick<Config, "trustProxy" | "url">,
  { forwardedFor, forwardedProto, origin, address }: ProbeAnswer,
): Finding[] {
  const last = forwardedFor?.split(",").at(-1)?.trim();
  const hasProxy = (last !== undefined && last !== MADE_UP) || forwardedProto !== null;
  if (!trustProxy) return hasProxy ? [problem("warning", "doctor.address.untrusted_proxy")] : [];
  if (last === MADE_UP) {
    return [problem("failed", hasProxy ? "doctor.address.made_up" : "doctor.address.no_proxy")];
  }
  if (!last) return [problem("failed", "doctor.address.no_proxy")];
  const proto = url!.protocol.slice(0, -1);
  if (!origin.startsWith(`${proto}:`)) {
    return [problem("warning", "doctor.address.proto", { proto })];
  }
  return [fine("doctor.address.forwards", { address })];
}

function answerOf(text: string | undefined): ProbeAnswer | null {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return null;
  }
}
