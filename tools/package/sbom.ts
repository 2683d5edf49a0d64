import { Buffer } from "node:buffer";
import { Enums, Models, Serialize, Spec } from "../../tests/packages/cyclonedx.ts";
import { type Component, idOf } from "./components.ts";

/** The archive that a list of components is about. */
interface Subject {
  name: string;
  version: string;
  time: Date;
}

/** Returns the list of an archive's components in CycloneDX 1.6. Equal input gives equal text. */
export function sbom({ name, version, time }: Subject, components: Component[]): string {
  const bom = new Models.Bom();
  const subject = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: `${name}@${version}`,
    licenses: licenses("MIT"),
  });
  bom.metadata.component = subject;
  bom.metadata.timestamp = time;
  const models = new Map(components.map((component) => [idOf(component), modelOf(component)]));
  for (const component of components) {
    const model = models.get(idOf(component))!;
    bom.components.add(model);
    subject.dependencies.add(model.bomRef);
    for (const id of component.dependencies) model.dependencies.add(models.get(id)!.bomRef);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  const serializer = new Serialize.JsonSerializer(factory);
  return serializer.serialize(bom, { sortLists: true, space: 2 }) + "\n";
}

function modelOf({ name, version, from, license, integrity }: Component) {
  const purl = `pkg:${from}/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
  const [, group, own] = name.match(/^(?:(@[^/]+)\/)?(.+)$/)!;
  return new Models.Component(Enums.ComponentType.Library, own!, {
    group,
    version,
    purl,
    bomRef: purl,
    licenses: licenses(license),
    hashes: new Models.HashDictionary(integrity ? [hashOf(integrity)] : []),
  });
}

const licenses = (expression: string | null) =>
  new Models.LicenseRepository(
    expression === null ? [] : [
      / (AND|OR|WITH) /.test(expression)
        ? new Models.LicenseExpression(expression)
        : new Models.SpdxLicense(expression),
    ],
  );

/** Converts a hash such as `sha512-...`, in base64. */
function hashOf(integrity: string): [typeof Enums.HashAlgorithm["SHA-512"], string] {
  const base64 = integrity.replace(/^sha512-/, "");
  return [Enums.HashAlgorithm["SHA-512"], Buffer.from(base64, "base64").toString("hex")];
}
