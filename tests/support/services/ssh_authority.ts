import { join } from "node:path";

/** A certificate for the logins root and web that never expires, of a key that is nowhere. */
export const CERTIFICATE =
  "ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIKKlQXX7vMyWXu6Rn+D88bPFNwYddgLE6z+l4JgjJAPCAAAAIFetEv9JDHPNSKX8pbT8334Y/vvtQNM/X4QwBpQwHQdIAAAAAAAAAAAAAAABAAAABmRlcGxveQAAAA8AAAAEcm9vdAAAAAN3ZWIAAAAAAAAAAP//////////AAAAAAAAAAAAAAAAAAAAMwAAAAtzc2gtZWQyNTUxOQAAACBrHfsik8+xZ3MxTHfzhIKb58cg9ZwvKKBXm0s2QMFVYQAAAFMAAAALc3NoLWVkMjU1MTkAAABAYoITojfMmpSf+3S1jV2FdE/ijrCPzTv6nf7YZgKzb5z36/sETRAyDgqzO1TFJBAFxhvw01/Gy2qcGE/LsgmIAg==";

/** A public key of an authority. */
export const AUTHORITY = "ssh-ed25519 " +
  "AAAAC3NzaC1lZDI1NTE5AAAAIL7+1+Xa1s/KZTSdEXZLkG0qGKpZ8A2AqDMxDDckFkYl";

/** A key that signs others, as a company has one for all of its hosts. */
export interface SshAuthority {
  publicKey: string;
  /** Signs a public key with these options of ssh-keygen, and returns the line. */
  sign(publicKey: string, ...options: string[]): Promise<string>;
}

/** Creates an authority, with its files in `directory`. */
export async function newSshAuthority(directory: string): Promise<SshAuthority> {
  const file = join(directory, `authority_${crypto.randomUUID()}.key`);
  await keygen("-q", "-t", "ed25519", "-N", "", "-f", file);
  return {
    publicKey: (await Deno.readTextFile(`${file}.pub`)).trim(),
    async sign(publicKey, ...options) {
      const signed = join(directory, crypto.randomUUID());
      await Deno.writeTextFile(`${signed}.pub`, `${publicKey}\n`);
      await keygen("-q", "-s", file, ...options, `${signed}.pub`);
      return (await Deno.readTextFile(`${signed}-cert.pub`)).trim();
    },
  };
}

async function keygen(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("ssh-keygen", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
