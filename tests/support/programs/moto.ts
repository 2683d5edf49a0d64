import { join } from "node:path";
import { until } from "@/tests/support/basics/until.ts";

const VERSION = "5.2.5";

/**
 * Starts moto, which speaks the protocol of S3, in a virtualenv in `data/moto` that PyPI fills
 * once. Null if PyPI is out of reach. Each server has a bucket `safe`, and its own process.
 */
export async function startMoto(): Promise<{ address: string } & AsyncDisposable | null> {
  const folder = join(Deno.cwd(), "data", `moto-${VERSION}`);
  const program = join(folder, "bin", "moto_server");
  if (!await exists(program) && !await install(folder)) return null;
  const port = freePort();
  const server = new Deno.Command(program, {
    args: ["-H", "127.0.0.1", "-p", String(port)],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const address = `http://127.0.0.1:${port}`;
  const dispose = async () => {
    server.kill("SIGKILL");
    await server.status;
  };
  try {
    await until(
      () => fetch(`${address}/safe`, { method: "PUT" }).then(isFine, () => false),
      60_000,
    );
  } catch (error) {
    await dispose();
    throw error;
  }
  return { address, [Symbol.asyncDispose]: dispose };
}

async function isFine(response: Response): Promise<boolean> {
  await response.body?.cancel();
  return response.ok;
}

/** Installs beside the final folder until it is complete, because other tests may do the same. */
async function install(folder: string): Promise<boolean> {
  const steps = [
    ["python3", "-m", "venv", folder],
    [join(folder, "bin", "python"), "-m", "pip", "install", "-q", `moto[s3,server]==${VERSION}`],
  ];
  for (const [program, ...args] of steps) {
    const { success } = await new Deno.Command(program, { args, stdout: "null" }).output();
    if (success) continue;
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    return false;
  }
  return true;
}

const exists = (path: string): Promise<boolean> => Deno.stat(path).then(() => true, () => false);

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
