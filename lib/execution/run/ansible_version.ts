/**
 * Returns the version in the first line of `ansible-playbook --version`, such as "2.19.14", or else
 * the whole line.
 */
export const ansibleVersion = (line: string | null): string =>
  /(?<!\d)\d+(?:\.[\w-]+)+/.exec(line ?? "")?.[0] ?? line ?? "";
