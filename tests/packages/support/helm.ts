import { join } from "node:path";
import { onceForTests } from "./once.ts";
import { succeed } from "./succeed.ts";

const VERSION = "v3.19.5";

/**
 * Returns the path of Helm's command, which Go builds from the sources in its module proxy. Without
 * optimization that takes a third less time.
 */
export async function helmCommand(): Promise<string> {
  const folder = await onceForTests("helm", VERSION, async (folder) => {
    // The build leaves a gigabyte that nothing else needs.
    const work = await Deno.makeTempDir({ prefix: "callboard_helm_" });
    try {
      await succeed(
        [
          "go",
          "install",
          "-gcflags=all=-N -l",
          "-ldflags=-s -w",
          `helm.sh/helm/v3/cmd/helm@${VERSION}`,
        ],
        {
          env: {
            CGO_ENABLED: "0",
            GOBIN: folder,
            GOCACHE: join(work, "cache"),
            GOFLAGS: "-modcacherw",
            GOPATH: join(work, "path"),
          },
        },
      );
    } finally {
      await Deno.remove(work, { recursive: true });
    }
  });
  return join(folder, "helm");
}
