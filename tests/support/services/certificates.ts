import { join } from "node:path";

/**
 * Creates `cert.pem` and `key.pem` in a folder for the name or address in `names`, in OpenSSL's
 * notation. Returns the certificate in PEM of the authority that has signed it.
 */
export async function makeCertificates(dir: string, names: string): Promise<string> {
  const openssl = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("openssl", { args, cwd: dir }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const key = [...curve, "-nodes", "-days", "2"];
  await openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=Tests",
  );
  await openssl("req", ...key, "-keyout", "key.pem", "-out", "req.pem", "-subj", "/CN=localhost");
  await Deno.writeTextFile(join(dir, "names"), `subjectAltName=${names}\n`);
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"];
  await openssl(
    "x509",
    "-req",
    "-in",
    "req.pem",
    ...signed,
    "-out",
    "cert.pem",
    "-extfile",
    "names",
  );
  return await Deno.readTextFile(join(dir, "ca.pem"));
}
