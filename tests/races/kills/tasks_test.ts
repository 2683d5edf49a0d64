import { crash } from "@/tests/support/kills/crash.ts";

Deno.test("a server that is killed in the middle of runs leaves nothing open behind", () =>
  crash(3));
