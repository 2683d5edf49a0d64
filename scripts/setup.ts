import { build } from "./build.ts";
import { prepare } from "./prepare.ts";
import { runScript } from "./run_script.ts";

await runScript(async () => {
  const umask = Deno.umask();
  await prepare();
  // A build contains no secrets. The server's account may differ from the one that has built it.
  Deno.umask(umask);
  await build();
});
