/** Whether a hash is from another server, made with bcrypt at a cost that a sign-in can afford. */
export const isBcrypt = (encoded: string): boolean =>
  /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/.test(encoded);

/** Returns whether a password matches. It runs outside the event loop, in a worker of its own. */
export async function verifyBcrypt(password: string, encoded: string): Promise<boolean> {
  const worker = new Worker(new URL("./bcrypt_worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.postMessage({ password, encoded });
  try {
    return await promise;
  } finally {
    worker.terminate();
  }
}
