import { type BackUpOptions, backUpServer } from "./back_up.ts";
import type { BackupAnswer } from "./automatic.ts";

/** Copying, compressing and encrypting block their thread, so a server gives them one. */
self.onmessage = async ({ data }: MessageEvent<BackUpOptions>) => {
  self.postMessage(
    await backUpServer(data).then(
      (bytes): BackupAnswer => ({ bytes }),
      (error): BackupAnswer => ({ error: String(error?.message ?? error) }),
    ),
  );
};
