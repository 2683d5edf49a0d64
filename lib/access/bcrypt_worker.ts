import { bcryptVerify } from "hash-wasm";

self.onmessage = async ({ data }: MessageEvent<{ password: string; encoded: string }>) => {
  self.postMessage(await bcryptVerify({ password: data.password, hash: data.encoded }));
};
