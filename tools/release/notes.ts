import { join } from "node:path";

/** A release that is complete but for its notes and checksums. */
interface Notes {
  version: string;
  commit: string;
  changes: string;
  folder: string;
}

/** Returns the notes of a release in Markdown: changes, files, and how to check them. */
export async function releaseNotes(
  { version, commit, changes, folder }: Notes,
): Promise<string> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const rows = await Promise.all(names.map(async (name) => {
    const { size } = await Deno.stat(join(folder, name));
    return `| \`${name}\` | ${KINDS.find(([ending]) => ending.test(name))![1]} | ${
      sizeText(size)
    } |`;
  }));
  return `# Callboard ${version}

${changes}

## Files

These are built from the commit ${commit}.

| File | Content | Size |
| --- | --- | --- |
${rows.join("\n")}

To check them, take \`packaging/allowed_signers\` from a copy of the sources that you trust:

\`\`\`sh
ssh-keygen -Y verify -f allowed_signers -I callboard -n file -s SHA256SUMS.sig <SHA256SUMS
sha256sum --check --ignore-missing SHA256SUMS
\`\`\`
`;
}

const KINDS: [RegExp, string][] = [
  [/\.cdx\.json$/, "List of components (CycloneDX 1.6)"],
  [/-image-.*\.tar\.gz$/, "Container image: `gzip -dc FILE | docker load`, or `podman load`"],
  [/^callboard-ansible-.*\.tar\.gz$/, "Ansible, for machines without a network"],
  [/\.tar\.gz$/, "Archive"],
  [/\.tgz$/, "Helm chart"],
  [/\.deb$/, "Package for Debian and Ubuntu"],
  [/\.rpm$/, "Package for RHEL and its relatives"],
];

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
