type Key = Deno.KvKey;

/** Criteria by which failed sign-ins are counted. */
export type SignInSource = "account" | "device" | "address" | "code" | "challenge";

/**
 * Rows of accounts, and of how people sign in.
 *
 * | key | value | why |
 * |---|---|---|
 * | users, user | UserRow | accounts |
 * | users_stamp | user id | changes whenever a user is created, deleted or gets another name |
 * | users_by_username, lower-case name | user id | unique, and found at sign-in |
 * | users_by_look, digest of its skeleton | user id | no two usernames look alike |
 * | users_by_email, lower-case address | user id | unique, and found at sign-in |
 * | admins, user | true | finds the admins, so that the last one can be protected |
 * | admins_guard | any | changes with each change of an admin, so that two commits cannot remove the last two admins |
 * | sessions, hash of token | SessionRow | signed-in users |
 * | sessions_by_user, user, hash | true | finds a user's sessions to end them |
 * | api_tokens, hash of token | ApiTokenRow | bearer tokens |
 * | api_tokens_by_user, user, hash | true | a user's tokens |
 * | sign_in_failures, source, value | FailureRow | slows down password guessing; expires |
 * | lock_notices, user | true | a recent notice about guesses at its password; expires |
 * | second_factors, user | SecondFactorRow | checked after the password |
 * | code_steps, hash of token | CodeStepRow | a sign-in that waits for its code in one browser; expires |
 * | trusted_browsers, user, hash of token | TrustedBrowserRow | a browser that does not need to enter a code; expires |
 * | passkeys, user, id | PasskeyRow | allows sign-in without a password |
 * | passkeys_by_credential, id | user id | unique, and found at sign-in |
 * | own_keys, user, id | OwnKeyRow | SSH keys of a person, for tasks that the person starts |
 * | passkey_challenges, hash of who holds it | challenge to sign | used up by the response, right or wrong; expires |
 * | known_networks, user, network | true | the user has signed in from there and is not locked out by strangers; expires |
 * | identities, issuer, subject | IdentityRow | account of a provider's person |
 * | identities_by_user, user, issuer, subject | true | providers that an account is linked with |
 * | waiting_people, issuer, subject | WaitingRow | a person who requests an account, until an administrator has decided; expires |
 * | group_rules | GroupRules | roles that groups of a provider grant; read at each sign-in through a provider |
 * | rule_grants, user, provider | GrantsRow | roles that rules have granted an account, so that only these are revoked again |
 * | rule_words, user | RuleWordsRow | times of the providers' last statements about an account that has roles from rules |
 * | rule_projects, name | project id | project that a rule in the server's file meant when its name was first looked up |
 * | sso_attempts, hash of state | sealed text | a sign-in at a provider, until the person returns; expires |
 * | provider_sessions, issuer, provider's session, hash of token | user id | finds the sessions that a provider ends; expires |
 * | logout_tokens, issuer, hash of its id | true | each token ends sessions only once; expires |
 * | sign_in_links, hash of token | SignInLinkRow | a link that the operator or an administrator created for one user, valid for one sign-in; expires |
 * | sign_in_links_by_user, user, hash of token | OpenLink | finds a user's links to withdraw them; expires |
 * | sent_forms, user, digest of the form | id and time | what a form has made, so that a second click makes nothing; expires |
 * | user_options, user | values by their keys | what clients note about their user |
 * | keyed_calls, user, digest of its key | id, time and digest of the call | what a call with an Idempotency-Key has made; expires |
 * | kept_forms, user, browser | names and lengths | forms that were sent after their session had ended, oldest first, a few per browser; expires |
 * | kept_forms, user, browser, page, n | sealed text | values of such a form, until its page shows them again; expires |
 */
export const peopleKeys = {
  user: (id: number): Key => ["users", id],
  users: (): Key => ["users"],
  usersStamp: (): Key => ["users_stamp"],
  userByUsername: (username: string): Key => ["users_by_username", username.toLowerCase()],
  userByLook: (look: string): Key => ["users_by_look", look],
  userByEmail: (email: string): Key => ["users_by_email", email.toLowerCase()],
  admin: (userId: number): Key => ["admins", userId],
  admins: (): Key => ["admins"],
  adminsGuard: (): Key => ["admins_guard"],

  session: (hash: string): Key => ["sessions", hash],
  sessionByUser: (userId: number, hash: string): Key => ["sessions_by_user", userId, hash],
  sessionsByUser: (userId: number): Key => ["sessions_by_user", userId],
  apiToken: (hash: string): Key => ["api_tokens", hash],
  apiTokenByUser: (userId: number, hash: string): Key => ["api_tokens_by_user", userId, hash],
  apiTokensByUser: (userId: number): Key => ["api_tokens_by_user", userId],
  lockNotice: (userId: number): Key => ["lock_notices", userId],
  signInFailures: (of: SignInSource, value: string): Key => ["sign_in_failures", of, value],
  secondFactor: (userId: number): Key => ["second_factors", userId],
  codeStep: (hash: string): Key => ["code_steps", hash],
  trustedBrowser: (userId: number, hash: string): Key => ["trusted_browsers", userId, hash],
  trustedBrowsers: (userId: number): Key => ["trusted_browsers", userId],
  passkey: (userId: number, id: string): Key => ["passkeys", userId, id],
  passkeys: (userId: number): Key => ["passkeys", userId],
  ownKey: (userId: number, id: number): Key => ["own_keys", userId, id],
  ownKeys: (userId: number): Key => ["own_keys", userId],
  passkeyOwner: (id: string): Key => ["passkeys_by_credential", id],
  passkeyChallenge: (hash: string): Key => ["passkey_challenges", hash],
  knownNetwork: (userId: number, network: string): Key => ["known_networks", userId, network],
  knownNetworks: (userId: number): Key => ["known_networks", userId],

  identity: (issuer: string, subject: string): Key => ["identities", issuer, subject],
  identities: (): Key => ["identities"],
  identitiesOf: (issuer: string): Key => ["identities", issuer],
  identityByUser: (userId: number, issuer: string, subject: string): Key => [
    "identities_by_user",
    userId,
    issuer,
    subject,
  ],
  identitiesByUser: (userId: number): Key => ["identities_by_user", userId],
  waitingPerson: (issuer: string, subject: string): Key => ["waiting_people", issuer, subject],
  waitingPeople: (): Key => ["waiting_people"],
  waitingPeopleOf: (issuer: string): Key => ["waiting_people", issuer],
  groupRules: (): Key => ["group_rules"],
  ruleGrants: (userId: number, provider: string): Key => ["rule_grants", userId, provider],
  ruleGrantsOf: (userId: number): Key => ["rule_grants", userId],
  allRuleGrants: (): Key => ["rule_grants"],
  ruleWords: (userId: number): Key => ["rule_words", userId],
  ruleProject: (name: string): Key => ["rule_projects", name],

  ssoAttempt: (stateHash: string): Key => ["sso_attempts", stateHash],
  providerSession: (issuer: string, sid: string, hash: string): Key => [
    "provider_sessions",
    issuer,
    sid,
    hash,
  ],
  providerSessions: (issuer: string, sid: string): Key => ["provider_sessions", issuer, sid],
  logoutToken: (issuer: string, idHash: string): Key => ["logout_tokens", issuer, idHash],
  signInLink: (hash: string): Key => ["sign_in_links", hash],
  signInLinkByUser: (userId: number, hash: string): Key => ["sign_in_links_by_user", userId, hash],
  signInLinksByUser: (userId: number): Key => ["sign_in_links_by_user", userId],

  /** Object that a form has made; `hash` is that of its values. */
  sentForm: (userId: number, hash: string): Key => ["sent_forms", userId, hash],
  userOptions: (userId: number): Key => ["user_options", userId],
  keyedCall: (userId: number, hash: string): Key => ["keyed_calls", userId, hash],
  keyedCalls: (userId: number): Key => ["keyed_calls", userId],
  formDrafts: (userId: number, browser: string): Key => ["kept_forms", userId, browser],
  formDraft: (userId: number, browser: string, page: string, n: number): Key => [
    "kept_forms",
    userId,
    browser,
    page,
    n,
  ],
};
