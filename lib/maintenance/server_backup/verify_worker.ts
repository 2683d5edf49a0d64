import { type VerifyAnswer, verifyBackup, type VerifyOptions } from "./verify.ts";

/** Decrypting, unpacking and counting block their thread, so a server gives them one. */
self.onmessage = async ({ data }: MessageEvent<VerifyOptions>) => {
  self.postMessage(
    await verifyBackup(data).then(
      (contents): VerifyAnswer => contents,
      (error): VerifyAnswer => ({ error: String(error?.message ?? error) }),
    ),
  );
};
