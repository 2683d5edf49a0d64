import * as z from "zod";
import type { Sentence } from "../../base/errors.ts";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";
import { hasControl } from "../../base/text/control.ts";
import { flagField, isServerUrl, nameField, optionalIdField } from "../../base/fields.ts";
import {
  isCollection,
  isCoreVersion,
  isImage,
  isPython,
  isRequirement,
  linesOf,
} from "../../execution/ansible/toolchains/toolchain_lines.ts";

/** Project of the rows of the server's own toolchains, as no project has it. */
export const SERVER = 0;

export const TOOLCHAIN_KINDS = ["built", "path", "image"] as const;
const TOOLCHAIN_STATES = ["missing", "building", "ready", "failed"] as const;

const LINES_MAX = 100;
const LINE_MAX = 500;

const text = (max: number) =>
  z.string().trim().max(max, "errors.too_long").nullish().transform((value) => value ?? "");

/** Lines of text, each of which is right. */
const linesField = (isRight: (line: string) => boolean, error: string) =>
  z.string().max(LINES_MAX * LINE_MAX, "errors.too_long").nullish()
    .transform((value) => (value ?? "").replaceAll("\r\n", "\n"))
    .superRefine((value, ctx) => {
      const lines = linesOf(value);
      const wrong = lines.find((line) => line.length > LINE_MAX || !isRight(line));
      if (lines.length > LINES_MAX) ctx.addIssue({ code: "custom", message: "errors.too_long" });
      else if (wrong !== undefined) ctx.addIssue({ code: "custom", message: error });
    });

const fields = z.object({
  name: nameField,
  kind: z.enum(TOOLCHAIN_KINDS, "errors.unknown_type").nullish()
    .transform((value) => value ?? "built"),
  ansible_core: text(100).refine(
    (version) => version === "" || isCoreVersion(version),
    "errors.toolchains.version",
  ),
  pip: linesField(isRequirement, "errors.toolchains.pip"),
  collections: linesField(isCollection, "errors.toolchains.collection"),
  python: text(10).refine(
    (version) => version === "" || isPython(version),
    "errors.toolchains.python",
  ),
  path: text(1000).refine(
    (path) => path === "" || (path.startsWith("/") && !hasControl(path)),
    "errors.toolchains.path",
  ),
  image: text(500).refine((image) => image === "" || isImage(image), "errors.toolchains.image"),
});
type Fields = z.output<typeof fields>;

/** Fields of a toolchain of a project. That of the server uses the server's settings. */
const ownFields = fields.extend({
  galaxy_url: text(1000).refine(
    (url) => url === "" || isServerUrl(url),
    "errors.toolchains.galaxy",
  ),
  galaxy_key_id: optionalIdField,
});
type OwnFields = z.output<typeof ownFields>;

function requireContents(
  { kind, path, image, ansible_core, pip }: Fields,
  ctx: z.RefinementCtx,
): void {
  const missing = (field: string) =>
    ctx.addIssue({ code: "custom", path: [field], message: "errors.required" });
  if (kind === "path" && path === "") missing("path");
  if (kind === "image" && image === "") missing("image");
  if (kind === "built" && ansible_core === "" && linesOf(pip).length === 0) {
    missing("ansible_core");
  }
}

/** Returns the members without those of other kinds. */
const asStored = <Form extends Fields>(form: Form): Form => ({
  ...form,
  ...form.kind !== "built" && { ansible_core: "", pip: "", collections: "", python: "" },
  ...form.kind !== "path" && { path: "" },
  ...form.kind !== "image" && { image: "" },
});

const ownAsStored = (form: OwnFields): OwnFields => ({
  ...asStored(form),
  ...form.kind !== "built" && { galaxy_url: "", galaxy_key_id: null },
});

/** Example for the document of the API. */
const toolchain = {
  name: "RHEL 8",
  kind: "built",
  ansible_core: "2.16",
  pip: "netaddr>=1.0",
  collections: "community.general:>=8,<9",
};
/** The form of a toolchain. Messages are locale keys, never sentences. */
export const toolchainForm = ownFields.superRefine(requireContents).refine(
  ({ galaxy_url, galaxy_key_id }) => galaxy_url !== "" || galaxy_key_id === null,
  { path: ["galaxy_url"], error: "errors.required" },
).transform(ownAsStored).meta({
  example: { ...toolchain, galaxy_url: "https://galaxy.example.com/api/", galaxy_key_id: 2 },
});
export type ToolchainForm = z.output<typeof toolchainForm>;

export const toolchainSchema = z.object({
  id: z.int(),
  /** Null for one of the server. */
  project_id: z.int().nullable(),
  name: z.string(),
  kind: z.enum(TOOLCHAIN_KINDS),
  /** A version or a range; empty for what the lines of pip bring. */
  ansible_core: z.string(),
  /** A requirement of pip in each line. */
  pip: z.string(),
  /** A collection in each line, with its version and the addresses of signatures. */
  collections: z.string(),
  /** Empty for one that fits. */
  python: z.string(),
  /** Folder of the programs, or of their virtualenv, for the kind `path`. */
  path: z.string(),
  /** Reference of an image for podman, for the kind `image`. */
  image: z.string(),
  /** Address of the Galaxy server of the collections; empty for that of the server. */
  galaxy_url: z.string(),
  /** Key whose password is the token of that server. */
  galaxy_key_id: z.int().nullable(),
  /** State on this server; null for other kinds than `built`. */
  state: z.enum(TOOLCHAIN_STATES).nullable(),
  /** Version that was built on this server; null if none was. */
  ansible_version: z.string().nullable(),
});
/** The form of a toolchain of the server. */
export const serverToolchainForm = fields.extend({
  /** Whether tasks use it whose template, inventory and project have chosen none. */
  is_default: flagField,
}).superRefine(requireContents).transform(asStored).meta({ example: toolchain });
export type ServerToolchainForm = z.output<typeof serverToolchainForm>;

export const serverToolchainSchema = toolchainSchema.extend({ is_default: z.boolean() });
export type ServerToolchainView = z.output<typeof serverToolchainSchema>;

/** A toolchain as the API returns it. */
export type ToolchainView = z.output<typeof toolchainSchema>;

/** The last build of a toolchain that someone has asked for. */
export const toolchainBuildSchema = z.object({
  state: z.enum(TOOLCHAIN_STATES).nullable(),
  /** Reason why it failed. */
  reason: sentenceOrTextSchema.nullable(),
  /** The end of its output. */
  log: z.string(),
});

/** A stored build. */
export interface BuildRow {
  state: (typeof TOOLCHAIN_STATES)[number];
  reason: Sentence | null;
  log: string;
  /** Time of its latest sign of life, in milliseconds. */
  at: number;
}

/** A build without a sign of life for this long has ended with its server. */
export const SILENT_BUILD_MS = 10_000;

/** A stored toolchain. */
export interface ToolchainRow
  extends Omit<ToolchainView, "project_id" | "state" | "ansible_version"> {
  project_id: number;
}
