/** The compiler of TypeScript, for rules about types. Its version is close to that of Deno. */
export { Node, Project, type Type } from "npm:ts-morph@28.0.0";
