import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isoTime } from "../../base/time/clock.ts";
import { linkedAbort } from "../../base/time/abort.ts";
import { createBell } from "../../base/bell.ts";
import { isEmpty } from "../../base/secret.ts";
import type { SshKey } from "../run/plan.ts";
import { parseCertificate, validityProblem } from "./certificate.ts";
import { runProcess } from "../process/supervise.ts";
import { baseEnvironment } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";

/** A key for an agent. Its name is shown in errors if there are several. */
export interface AgentKey {
  name: string;
  key: SshKey;
}

/** A running ssh-agent. */
interface Agent {
  socket: string;
  /**
   * Paths of its keys, in order. No private half is there any more, but ssh finds the public one in
   * a file beside it (`.pub`), and so knows which of the agent's keys is meant.
   */
  files: string[];
  end(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL("./agent.sh", import.meta.url));
const START_LIMIT_MS = 60_000;

/** Answers only once, because ssh-add would ask for a wrong passphrase again and again. */
const ASKPASS = `#!/bin/sh
cat "$CALLBOARD_PASSPHRASE_FILE" 2>/dev/null && exec rm -f "$CALLBOARD_PASSPHRASE_FILE"
: >"$CALLBOARD_PASSPHRASE_FILE.refused"
exit 1
`;

/** Returns the variables that make ssh and ssh-add ask `script` instead of a person. */
export const askpassEnvironment = (script: string, answerFile: string) => ({
  SSH_ASKPASS: script,
  SSH_ASKPASS_REQUIRE: "force",
  DISPLAY: ":0",
  CALLBOARD_PASSPHRASE_FILE: answerFile,
});

/**
 * Loads keys into an agent of their own, with their certificates. It offers them in this order.
 * Only public halves and certificates stay on the disk.
 */
export async function startAgent(
  { env, directory, supervision }: RunContext,
  keys: AgentKey[],
  name: string,
): Promise<Agent> {
  for (const { key } of keys) requireValidNow(key);
  const files: string[] = [];
  for (const [n, { key }] of keys.entries()) {
    const fileName = `${name}.${n}`;
    files.push(await directory.write(fileName, key.privateKey));
    // ssh-add and ssh find it by its name.
    if (key.certificate) await directory.write(`${fileName}-cert.pub`, `${key.certificate}\n`);
    if (isEmpty(key.passphrase)) continue;
    await directory.write(`${fileName}.passphrase`, key.passphrase, "\n");
  }
  const askpass = await directory.writeScript(`${name}.askpass`, ASKPASS);
  const socket = join(directory.sockets, name);
  const own = linkedAbort(supervision.stop);
  let said = "";
  const bell = createBell();
  const ended = runProcess(
    {
      command: ["sh", SCRIPT, socket, ...files],
      cwd: directory.path,
      env: {
        ...baseEnvironment(env.path, directory.path),
        ...askpassEnvironment(askpass, ""),
      },
      limitMs: 0,
    },
    { ...supervision, stop: own.signal },
    (chunk) => {
      said += new TextDecoder().decode(chunk);
      if (said.includes("\n")) bell.ring();
    },
  );
  const end = async () => {
    own.abort();
    own.release();
    await ended;
  };

  ended.then(bell.ring, bell.ring);
  await bell.wait(START_LIMIT_MS);
  if (said.trim() === "ready") return { socket, files, end };
  await end();
  const [word, number] = said.trim().split(" ");
  const reason = runError(FAILURES[word] ?? "errors.run.agent_failed");
  if (keys.length === 1 || !number) throw reason;
  const { name: of } = keys[Number(number) - 1];
  throw runError("errors.run.one_key", { name: of, reason: { key: reason.key } });
}

/**
 * Throws if the key has a certificate that admits no one now. It is checked by whatever executes
 * the run, because ssh itself only says "Permission denied".
 */
function requireValidNow({ certificate, name = "" }: SshKey): void {
  const parsed = certificate ? parseCertificate(certificate) : null;
  const problem = parsed && validityProblem(parsed, Date.now());
  if (problem) throw runError(`errors.run.${problem.key}`, { name, since: isoTime(problem.at) });
}

/** Keys of the errors for the script's word. */
const FAILURES: Record<string, string> = {
  passphrase: "errors.run.passphrase_wrong",
  unreadable: "errors.run.key_unreadable",
  certificate: "errors.run.certificate_unusable",
  missing: "errors.run.agent_missing",
};
