/** The commands of `deno task user`. */
export const USAGE = `Manages the accounts of this server, whether it is running or not.

  deno task user list
  deno task user add --login NAME --name "FULL NAME" --email ADDRESS [--password WORD] [--admin]
  deno task user password --login NAME [--password WORD] [--keep-tokens]
  deno task user admin --login NAME
  deno task user reset-second-factor --login NAME
  deno task user link --login NAME
  deno task user move-identities [OLD-ISSUER NEW-ISSUER]

If no password is given, the command asks for it, or reads it from the first line of its input.
A new password ends all sessions of the account and, without --keep-tokens, revokes its API tokens.
A link signs in once, even if passwords are disabled and the provider cannot be reached. After a
provider or a directory has changed its issuer, move-identities moves its linked accounts to the
new one. Without names, it lists all issuers.`;
