import { join } from "node:path";

const run = async (command: string, ...args: string[]): Promise<boolean> =>
  (await new Deno.Command(command, { args, stderr: "null" }).output()).success;

/** Whether a small file system can be created here, which requires root. */
export async function canMount(): Promise<boolean> {
  const path = await Deno.makeTempDir();
  const mounted = await run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path);
  if (mounted) await run("umount", path);
  await Deno.remove(path);
  return mounted;
}

/** A small file system of its own at a folder. */
export interface SmallDisk {
  /** Writes until nothing more fits. */
  fill(): Promise<void>;
  /** Frees what `fill` has taken. */
  makeRoom(): Promise<void>;
  unmount(): Promise<void>;
}

/** Creates the folder `path` on a disk of `megabytes`. */
export async function mountSmallDisk(path: string, megabytes: number): Promise<SmallDisk> {
  await Deno.mkdir(path, { recursive: true });
  const options = `size=${megabytes}m,mode=700`;
  if (!await run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)) {
    throw new Error(`no file system can be mounted at ${path}`);
  }
  const fillers = ["64k", "1k"].map((size) => ({ size, file: join(path, `filler.${size}`) }));
  return {
    async fill() {
      for (const { size, file } of fillers) {
        await run("dd", "if=/dev/zero", `of=${file}`, `bs=${size}`, "oflag=append", "conv=notrunc");
      }
    },
    async makeRoom() {
      for (const { file } of fillers) await Deno.remove(file).catch(() => {});
    },
    async unmount() {
      await run("umount", "--lazy", path);
    },
  };
}
