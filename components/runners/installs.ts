/** Facts of this server for the commands that install a runner. */
export interface RunnerInstall {
  /** Address of this server for its runners. */
  address: string;
  /** Why runners on other machines cannot use that address. */
  problem: "loopback" | "insecure" | null;
  version: string;
  /** How this server was installed, as far as it knows. */
  kind: "archive" | "sources";
}

interface Installed extends RunnerInstall {
  /** Name of the runner; empty if the token is for several. */
  name: string;
}

/** Commands for the machine of a runner, for each way to install it: see docs/install.md. */
export const INSTALLS: Record<string, (install: Installed) => string[]> = {
  archive: ({ address, version }) => {
    const folder = `callboard-${version}-linux-x64`;
    return [
      `sudo tar -xzf ${folder}.tar.gz -C /opt`,
      `sudo ln -s /opt/${folder}/bin/callboard /usr/local/bin/callboard`,
      `callboard runner register ${address}`,
      "callboard runner start",
    ];
  },
  package: ({ address, version }) => [
    `sudo apt install ./callboard_${version}_amd64.deb`,
    // The deb also starts a server.
    "sudo systemctl disable --now callboard",
    `sudo callboard runner register ${address}`,
    "sudo systemctl enable --now callboard-runner",
  ],
  image: ({ address, version, name }) => {
    const volume = containerName(name);
    const image = `callboard:${version} runner`;
    return [
      `docker run --rm -it -v ${volume}:/data ${image} register ${address}`,
      `docker run -d --name ${volume} --read-only --cap-drop=all --stop-timeout 60 ` +
      `--restart=on-failure:5 -v ${volume}:/data ${image} start`,
    ];
  },
  sources: ({ address }) => [`deno task runner register ${address}`, "deno task runner start"],
};

/** Returns a name that Docker accepts, and that needs no quotes in a shell. */
const containerName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "callboard-runner";
