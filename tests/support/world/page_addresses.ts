import { App } from "fresh";
import type { State } from "@/lib/web/state.ts";
import { mountApps } from "@/routes/(_pages)/apps.ts";
import { walk } from "@/tests/support/basics/walk.ts";

/** Returns the addresses of all pages and of their forms, with parameters such as "[keyId]". */
export async function pageAddresses(): Promise<string[]> {
  const files = await Array.fromAsync(walk("routes", /\.tsx?$/));
  const ofFiles = files.filter((file) => !/(^|\/)[(_]/.test(file) && !file.startsWith("api/"))
    .map((file) => `/${file}`.replace(/\.tsx?$/, "").replace(/\/index$/, "") || "/");
  const recorder = new Recorder();
  mountApps(recorder);
  return [...ofFiles, ...recorder.addresses].toSorted();
}

/** Notes the routes of apps. The original Fresh does not pass them on, and so names none. */
class Recorder extends App<State> {
  addresses: string[] = [];

  override route(...[path, load]: Parameters<App<State>["route"]>): this {
    const parts = path.split("/").filter(Boolean).map((part) => part.replace(/^:(.*)/, "[$1]"));
    this.addresses.push(`/${parts.join("/")}`);
    return super.route(path, load);
  }
}
