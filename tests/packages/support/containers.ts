import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "../../../deno.json" with { type: "json" };
import { aptSource } from "./apt_source.ts";
import { ARCHIVES, builtArchives } from "./built.ts";
import { onceForTests } from "./once.ts";
import { succeed } from "./succeed.ts";

const DOCKERFILE = fileURLToPath(new URL("../../../packaging/image/Dockerfile", import.meta.url));
const HEALTHCHECK = fileURLToPath(new URL("../../../packaging/image/healthcheck", import.meta.url));

export const IMAGE = `callboard:${denoJson.version}`;

/** Files that Debian's slim images leave out. */
const SLIM = `path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/groff/*
path-exclude /usr/share/info/*
path-exclude /usr/share/lintian/*
path-exclude /usr/share/linda/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
`;

/** Images and containers in a folder of their own. */
export interface Containers extends AsyncDisposable {
  folder: string;
  /** Options of podman and buildah for this folder. */
  options: string[];
  /** Runs podman with its options for this folder, and returns what it prints. */
  podman(...args: string[]): Promise<string>;
  /** Returns what a container has written to its output and its log, which is standard error. */
  logs(name: string): Promise<string>;
}

/**
 * Options that containers need inside of the containers and small virtual machines that tests often
 * run in. None of them gives a container more rights.
 */
export const RUNTIME = ["--runtime=runc", "--cgroup-manager=cgroupfs"];
export const RUN = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096", "--network=host"];

/** How docs/install.md runs the image, but with nothing to write to other than the volume. */
export const CONFINED = [...RUN, "--read-only", "--read-only-tmpfs=false", "--cap-drop=all"];

/** Builds the image as its Dockerfile says. */
export async function newContainers(): Promise<Containers> {
  const containers = await newBase();
  const { folder, options } = containers;
  const context = await buildContext(join(folder, "context"));
  await succeed([
    ...["buildah", ...options, "build", "--isolation=chroot", "--format=docker"],
    ...[`--build-arg=VERSION=${denoJson.version}`, `--file=${DOCKERFILE}`, `--tag=${IMAGE}`],
    context,
  ]);
  return containers;
}

/** Returns containers with the image that the Dockerfile starts from, and no other. */
export async function newBase(): Promise<Containers> {
  // Podman limits the paths of its folders to 50 characters.
  const folder = await Deno.makeTempDir({ prefix: "containers_" });
  const storage = [`--root=${join(folder, "images")}`, `--runroot=${join(folder, "run")}`];
  const options = [...storage, "--storage-driver=vfs"];
  const command = ["podman", ...options, ...RUNTIME];
  const podman = (...args: string[]) => succeed([...command, ...args]);
  await provideBase(await baseName(), podman);
  return {
    folder,
    options,
    podman,
    logs: (name) => succeed(["sh", "-c", 'exec "$@" 2>&1', "sh", ...command, "logs", name]),
    async [Symbol.asyncDispose]() {
      await podman("rm", "--all", "--force", "--time=0");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Returns the name of the image that the Dockerfile starts from. */
async function baseName(): Promise<string> {
  const text = await Deno.readTextFile(DOCKERFILE);
  const [, release] = text.match(/^ARG DEBIAN=(\w+)$/m)!;
  return text.match(/^FROM (\S+)/m)![1]!.replace("${DEBIAN}", release!);
}

/** Pulls the base. Without a registry, creates one like it from Debian's packages. */
async function provideBase(name: string, podman: Containers["podman"]): Promise<void> {
  const pulled = await podman("pull", "--quiet", name).then(() => true, () => false);
  if (pulled) return;
  const suite = name.match(/:(\w+)-slim$/)![1]!;
  await podman("import", join(await slimDebian(suite), "base.tar"), name);
}

async function slimDebian(suite: string): Promise<string> {
  const { mirror } = await aptSource();
  const key = createHash("sha256").update([mirror, suite, SLIM].join()).digest("hex");
  return await onceForTests("slim", key.slice(0, 16), async (folder) => {
    const root = join(folder, "root");
    await succeed(["debootstrap", "--variant=minbase", suite, root, mirror]);
    await Deno.writeTextFile(join(root, "etc/dpkg/dpkg.cfg.d/docker"), SLIM);
    const left = ["var/cache/apt/*", "var/lib/apt/lists/*", ...slimFolders()];
    const omitted = left.map((path) => `--exclude=./${path}`);
    const archive = ["-cf", join(folder, "base.tar"), "."];
    await succeed(["tar", "-C", root, "--numeric-owner", ...omitted, ...archive]);
    await Deno.remove(root, { recursive: true });
  });
}

const slimFolders = (): string[] =>
  [...SLIM.matchAll(/^path-exclude \/(.+)$/gm)].map(([, path]) => path!);

/** Returns a folder with only those files of the project that the Dockerfile copies. */
async function buildContext(folder: string): Promise<string> {
  const archives = await builtArchives();
  await Deno.mkdir(join(folder, "dist"), { recursive: true });
  await Deno.mkdir(join(folder, "packaging/image"), { recursive: true });
  for (const name of [ARCHIVES.x64, ARCHIVES.ansible]) {
    await Deno.copyFile(join(archives, `${name}.tar.gz`), join(folder, `dist/${name}.tar.gz`));
  }
  await Deno.copyFile(HEALTHCHECK, join(folder, "packaging/image/healthcheck"));
  return folder;
}
