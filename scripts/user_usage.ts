/** The commands of `deno task user`. */
export const USAGE = `Accounts of this server, while it runs or not.

  deno task user list
  deno task user add --login NAME --name "FULL NAME" --email ADDRESS [--password WORD] [--admin]
  deno task user password --login NAME [--password WORD] [--keep-tokens]
  deno task user admin --login NAME
  deno task user reset-second-factor --login NAME
  deno task user link --login NAME
  deno task user move-identities [OLD-ISSUER NEW-ISSUER]

A password that is not given is asked for, or read from the first line of the input. A new one ends
all sessions of the account and, unless they are to be kept, its API tokens. A link signs in once,
also where passwords are switched off and the provider is away. Accounts linked with a provider or a
directory that has another issuer now are found again after moving them; without names, all issuers
are listed.`;
