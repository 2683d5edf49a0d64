/** A name of a diff's file, and what of it lies in the checkout or in Ansible's temporary folder. */
const NAMES = /^(?:---|\+\+\+) (.*\/tasks\/\d+\/(?:checkout|tmp\/ansible-local-[^/\n]+)\/(.*))$/gm;

/**
 * A diff that names no file of the run's own folder. Earlier versions named a new file after the
 * temporary one that it was made from; of a template that is in the end the template's name.
 */
export const withoutRunFolder = (diff: string): string =>
  diff.replace(NAMES, (line, path: string, rest: string) => {
    const name = rest.replace(/^tmp[^/]*\//, "");
    return line.replace(path, () => /^\.?(?:tmp|ansible)[^/]*$/.test(name) ? "" : name);
  });
