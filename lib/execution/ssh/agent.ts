import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linkedAbort } from "../../base/abort.ts";
import { createBell } from "../../base/bell.ts";
import { isoTime } from "../../base/clock.ts";
import { isEmpty } from "../../base/secret.ts";
import type { PlanKey } from "../run/plan.ts";
import { parseCertificate, validityProblem } from "./certificate.ts";
import { runProcess } from "../process/supervise.ts";
import { baseEnvironment } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";

type SshKey = Extract<PlanKey, { type: "ssh" }>;

/** A running ssh-agent that holds one key. */
export interface Agent {
  socket: string;
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
 * Loads `key` into an agent of its own, with its certificate. The files that this needs are removed
 * once it is loaded.
 */
export async function startAgent(
  { env, directory, supervision }: RunContext,
  key: SshKey,
  name: string,
): Promise<Agent> {
  requireValidNow(key);
  const keyFile = await directory.write(`${name}.key`, key.privateKey);
  // ssh-add finds it by its name.
  if (key.certificate) await directory.write(`${name}.key-cert.pub`, `${key.certificate}\n`);
  const passphraseFile = join(directory.path, `${name}.passphrase`);
  if (!isEmpty(key.passphrase)) {
    await directory.write(`${name}.passphrase`, key.passphrase, "\n");
  }
  const askpass = await directory.writeScript(`${name}.askpass`, ASKPASS);
  const socket = join(directory.sockets, name);
  const own = linkedAbort(supervision.stop);
  let said = "";
  const bell = createBell();
  const ended = runProcess(
    {
      command: ["sh", SCRIPT, socket, keyFile],
      cwd: directory.path,
      env: {
        ...baseEnvironment(env.path, directory.path),
        ...askpassEnvironment(askpass, passphraseFile),
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
  if (said.trim() === "ready") return { socket, end };
  await end();
  throw runError(FAILURES[said.trim()] ?? "errors.run.agent_failed");
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

/** Keys of the errors for the script's last word. */
const FAILURES: Record<string, string> = {
  passphrase: "errors.run.passphrase_wrong",
  unreadable: "errors.run.key_unreadable",
  certificate: "errors.run.certificate_unusable",
  missing: "errors.run.agent_missing",
};
