import { userinfoOf, withUserinfo } from "../../execution/git/userinfo.ts";
import type { FormValues } from "./read_form.ts";

interface SecretField {
  name: string;
  label: string;
}

/**
 * The fields that hold secrets, as the form itself says: each field that never shows what was typed
 * into it sends its name and label along (`SecretMark` of `components/ui/SecretMark.tsx`).
 */
export function secretFields(values: FormValues): SecretField[] {
  const marks = Object.entries(values).filter(([name]) => /^secret_field(\.\d+)?$/.test(name));
  return marks.map(([, mark]) => {
    const [name] = mark.split(":", 1);
    return { name, label: mark.slice(name.length + 1) };
  });
}

/** The values without what is secret, and which fields that was typed into; login and password of URLs too. */
export function withoutSecrets(
  typed: FormValues,
): { values: FormValues; secrets: SecretField[] } {
  const marked = secretFields(typed);
  const names = new Set(marked.map(({ name }) => name));
  const secrets = marked.filter(({ name }) => typed[name]);
  const values: FormValues = {};
  for (const [name, value] of Object.entries(typed)) {
    if (names.has(name) || /^secret_field(\.|$)/.test(name)) continue;
    const url = value.trim();
    const hasLogin = userinfoOf(url) !== null;
    if (hasLogin) secrets.push({ name, label: "" });
    values[name] = hasLogin ? withUserinfo(url, null) : value;
  }
  return { values, secrets };
}
