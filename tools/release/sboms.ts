import { join } from "node:path";
import denoJson from "../../deno.json" with { type: "json" };
import { wheelsName } from "../../scripts/ansible/wheels.ts";
import { archiveComponents, type Component, wheelComponents } from "../package/components.ts";
import type { Architecture } from "../package/deno_binary.ts";
import { sourceTime } from "../package/packages.ts";
import { sbom } from "../package/sbom.ts";

const { version } = denoJson;

/** Writes the lists of components that are in the archives beside them, too. */
export async function writeSboms(
  folder: string,
  architectures: readonly Architecture[],
): Promise<void> {
  for (const architecture of architectures) {
    const components = await archiveComponents(architecture);
    const name = `callboard-${version}-linux-${architecture}`;
    await writeSbom(join(folder, `${name}.cdx.json`), "callboard", components);
    const wheels = join(folder, `${wheelsName(architecture)}.cdx.json`);
    await writeSbom(wheels, "callboard-ansible", await wheelComponents());
  }
}

/** Writes the list of what the software `name` of this version contains. */
export async function writeSbom(
  file: string,
  name: string,
  components: Component[],
): Promise<void> {
  await Deno.writeTextFile(file, sbom({ name, version, time: await sourceTime() }, components));
}
