/** File name in a diff, and its part below the checkout or Ansible's temporary folder. */
const NAMES = /^(?:---|\+\+\+) (.*\/tasks\/\d+\/(?:checkout|tmp\/ansible-local-[^/\n]+)\/(.*))$/gm;

/**
 * Returns the diff without paths of the task's own folder. Earlier versions named a new file after
 * its temporary source, which for a template ends with the template's name.
 */
export const withoutRunFolder = (diff: string): string =>
  diff.replace(NAMES, (line, path: string, rest: string) => {
    const name = rest.replace(/^tmp[^/]*\//, "");
    return line.replace(path, () => /^\.?(?:tmp|ansible)[^/]*$/.test(name) ? "" : name);
  });
