/** The package of TypeScript's native compiler, which is a program for each platform. */
export { default } from "npm:typescript@7.0.2/package.json" with { type: "json" };
