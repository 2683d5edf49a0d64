import { crash } from "../support/crash.ts";

Deno.test("a server that is killed in the middle of runs leaves nothing open behind", () =>
  crash(3));
