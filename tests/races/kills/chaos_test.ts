import { chaos } from "@/tests/support/kills/chaos.ts";
import { canMount } from "@/tests/support/programs/small_disk.ts";

/** `deno task chaos` takes 20, and is what shows whether memory is flat. */
const MINUTES = 0.6;

Deno.test({
  name: "each task has one end, and no line or secret is lost, while everything goes wrong",
  ignore: !await canMount(),
  fn: () => chaos({ minutes: MINUTES }),
});
