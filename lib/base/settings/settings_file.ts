import type * as z from "zod";
import { ConfigError, type Environment } from "./settings.ts";

/**
 * Reads the JSON file that the variable `name` names. Returns null if it names none. Throws
 * ConfigError with a sentence for each problem, which never repeats the file's content.
 */
export async function readSettingsFile<T extends z.ZodType>(
  env: Environment,
  name: string,
  schema: T,
): Promise<z.output<T> | null> {
  const path = env.get(name);
  if (!path) return null;
  const parsed = schema.safeParse(jsonOf(await readFile(name, path), `${name}: ${path}`));
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.slice(0, 5).map(({ path, message }) =>
    `${path.join(".") || "the whole"}: ${message}`
  );
  throw new ConfigError(`${name}: ${path} cannot be used: ${sentences.join("; ")}`);
}

/**
 * Reads the text of a file that a setting names. Throws ConfigError with the reason if it cannot.
 */
export async function readFile(name: string, path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound
      ? "the file does not exist"
      : error instanceof Deno.errors.NotCapable
      ? "the server is not allowed to read there; see docs/single-sign-on.md"
      : error instanceof Error
      ? error.name
      : String(error);
    throw new ConfigError(`${name}: ${path} cannot be read: ${why}`);
  }
}

/** Reads the PEM certificates of a file that a setting names. Throws ConfigError. */
export async function readCertificates(name: string, path: string): Promise<string> {
  const text = await readFile(name, path);
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new ConfigError(`${name} must contain certificates in PEM format`);
}

function jsonOf(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(`${source} is not JSON`);
  }
}
