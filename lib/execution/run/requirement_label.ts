/** A role or collection of a run, as people read it. */
interface NamedRequirement {
  name: string;
  /** As the requirement file has it, such as a branch; empty for none. */
  version: string;
  /** The commit or version that this stood for; empty if it is not known. */
  resolved: string;
}

/** A whole commit. */
export const FULL_HASH = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns a requirement in words: "greeter main 3f2a91c", "community.general 10.1.0". */
export function requirementLabel({ name, version, resolved }: NamedRequirement): string {
  const [written, meant] = [version, resolved].map((text) =>
    FULL_HASH.test(text) ? text.slice(0, 7) : text
  );
  return [name, written, meant === written ? "" : meant].filter(Boolean).join(" ");
}
