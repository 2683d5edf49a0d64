import type { ToolchainPlan } from "../../execution/ansible/plan.ts";
import { linesOf } from "../../execution/ansible/toolchain_lines.ts";
import type { ToolchainRow } from "./schema.ts";

/** A toolchain as a run gets it. */
export const toolchainPlan = (
  { name, kind, ansible_core, pip, collections, python, path, image }: ToolchainRow,
): ToolchainPlan => ({
  name,
  kind,
  ansibleCore: ansible_core,
  pip: linesOf(pip),
  collections: linesOf(collections),
  python,
  path,
  ...image && { image },
});
