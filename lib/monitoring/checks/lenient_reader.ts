import { ConfigError, type Environment } from "../../base/settings.ts";
import { type Finding, problem } from "./finding.ts";

const NAMES = /\b(?:CALLBOARD|DENO_KV)_[A-Z_]*[A-Z]\b/g;

/** Reads settings like a start, but past the first problem. */
interface LenientReader {
  /** The variables, without those that were not usable. */
  env: Environment;
  /** Returns what `work` reads, or `otherwise` if it fails for no variable that it names. */
  read<T>(work: (env: Environment) => T | Promise<T>, otherwise: () => T): Promise<T>;
}

/** Creates a reader that adds a finding for each problem and hides the variables it names. */
export function lenientReader(variables: Environment, findings: Finding[]): LenientReader {
  const [hidden, known] = [new Set<string>(), new Set<string>()];
  const env = {
    get: (name: string) => hidden.has(name) ? undefined : variables.get(name),
  };
  const note = ({ message }: ConfigError) => {
    if (!known.has(message)) {
      findings.push(problem("failed", "doctor.settings.invalid", { why: message }));
    }
    known.add(message);
    const before = hidden.size;
    for (const [name] of message.matchAll(NAMES)) hidden.add(name);
    return hidden.size > before;
  };
  return {
    env,
    async read(work, otherwise) {
      for (;;) {
        try {
          return await work(env);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          if (!note(error)) return otherwise();
        }
      }
    },
  };
}
