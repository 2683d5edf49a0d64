import { lineSplitter } from "./output.ts";
import type { RunPlan, Secret } from "../run/plan.ts";
import { userinfoOf } from "../git/userinfo.ts";
import { indexSecrets, redactor } from "./redaction.ts";
import { parseRepositoryUrl } from "../git/address.ts";
import type { OutputPipe, RunContext } from "../run/context.ts";

/** The one way into a task's log: what goes through here is masked and cut into lines. */
type RunLog = Pick<RunContext, "say" | "pipe">;

export function runLog(
  plan: RunPlan,
  writeLine: (line: string) => void | Promise<void>,
): RunLog {
  const index = indexSecrets(secretsOf(plan));

  function pipe(onLine?: (line: string) => void): OutputPipe {
    const decoder = new TextDecoder();
    const masked = redactor(index);
    const lines = lineSplitter((line) => {
      onLine?.(line);
      return writeLine(line);
    });
    return {
      write: (chunk) => lines.write(masked.write(decoder.decode(chunk, { stream: true }))),
      async end() {
        await lines.write(masked.write(decoder.decode()) + masked.end());
        await lines.end();
      },
    };
  }

  async function say(line: string): Promise<void> {
    const output = pipe();
    await output.write(new TextEncoder().encode(`${line}\n`));
    await output.end();
  }

  return { say, pipe };
}

/** Everything that must not be seen in the log. */
function secretsOf(plan: RunPlan): string[] {
  const { repository, inventory } = plan;
  const keys = [repository.key, inventory.userKey, inventory.becomeKey, inventory.repository?.key];
  const repositories = [repository, ...inventory.repository ? [inventory.repository] : []];
  return [
    ...keys.flatMap((key) => key ? secretsOfKey(key) : []),
    ...repositories.flatMap(({ url, key }) => secretsOfUrl(url, key.type)),
    ...plan.vaults.map(({ password }) => password),
    ...Object.values(plan.secretVars),
    ...Object.values(plan.secretEnv),
  ];
}

function secretsOfKey(key: Secret): string[] {
  switch (key.type) {
    case "none":
      return [];
    case "login_password":
      return [key.password];
    case "ssh":
      return [key.passphrase, key.privateKey];
  }
}

/** Git hosts say to put this beside a token that stands in the place of the login. */
const NO_PASSWORDS = ["", "x-oauth-basic"];

/** What of a repository's URL must not be seen, by the type of its key. */
export function secretsOfUrl(url: string, keyType: string): string[] {
  const userinfo = userinfoOf(url);
  if (userinfo === null) return [];
  const { login, password } = parseRepositoryUrl(url);
  const isToken = NO_PASSWORDS.includes(password) && keyType !== "login_password";
  return [password, ...isToken ? [userinfo, login] : []];
}
