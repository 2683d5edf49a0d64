import { userinfoOf, withUserinfo } from "../../execution/git/userinfo.ts";
import type { FormValues } from "./read_form.ts";

interface SecretField {
  name: string;
  label: string;
}

/**
 * Returns the fields that hold secrets, as listed by the form itself. Each field that never shows
 * its value again adds its name and label to the form. See `SecretMark` in
 * `components/ui/SecretMark.tsx`.
 */
export function secretFields(values: FormValues): SecretField[] {
  const marks = Object.entries(values).filter(([name]) => /^secret_field(\.\d+)?$/.test(name));
  return marks.map(([, mark]) => {
    const [name] = mark.split(":", 1);
    return { name, label: mark.slice(name.length + 1) };
  });
}

/**
 * Returns the values without secrets, and the fields that contained some. Logins and passwords in
 * URLs are removed as well.
 */
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
