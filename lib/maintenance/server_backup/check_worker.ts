import { type CheckAnswer, checkBackup, type CheckOptions } from "./check.ts";

/** Decrypting, unpacking and counting block their thread, so a server gives them one. */
self.onmessage = async ({ data }: MessageEvent<CheckOptions>) => {
  self.postMessage(
    await checkBackup(data).then(
      (contents): CheckAnswer => contents,
      (error): CheckAnswer => ({ error: String(error?.message ?? error) }),
    ),
  );
};
