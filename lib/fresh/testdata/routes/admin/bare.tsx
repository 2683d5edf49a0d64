import type { RouteConfig } from "fresh";

export const config: RouteConfig = { skipInheritedLayouts: true, skipAppWrapper: true };

export default function Bare() {
  return <p>bare</p>;
}
