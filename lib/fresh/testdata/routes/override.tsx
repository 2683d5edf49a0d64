import type { RouteConfig } from "fresh";

export const config: RouteConfig = { routeOverride: "/elsewhere/:id(\\d+)" };

export default () => <p>overridden</p>;
