import { join } from "node:path";
import { Client } from "ldapts";
import { DEFAULT_ISSUER, type LdapSettings } from "@/lib/ldap/settings.ts";
import { conceal } from "@/lib/base/secret.ts";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { until } from "@/tests/support/basics/until.ts";

const BASE = "dc=example,dc=com";
const ROOT = { dn: `cn=admin,${BASE}`, password: "root of the tree" };
const READER = { dn: `cn=reader,${BASE}`, password: "may look" };

/**
 * A real slapd on loopback with people and groups. It offers StartTLS on one port, and TLS from the
 * start on another.
 */
export interface Slapd extends AsyncDisposable {
  ldap: string;
  ldaps: string;
  /** The certificate in PEM of the authority that has signed the server's own, for `localhost`. */
  ca: string;
  /** Returns the settings of a server of ours that uses it. */
  settings(more?: Partial<LdapSettings>): LdapSettings;
  /** Adds a person with this name of the entry. The password is `<uid> in the tree`. */
  addPerson(uid: string, cn?: string): Promise<void>;
  /** Adds a group with the people of these entries. */
  addGroup(cn: string, people: string[]): Promise<void>;
  removePerson(uid: string): Promise<void>;
}

export const passwordOf = (uid: string) => `${uid} in the tree`;
export const groupDn = (cn: string) => `cn=${escapeDn(cn)},ou=groups,${BASE}`;
const personDn = (cn: string) => `cn=${escapeDn(cn)},ou=people,${BASE}`;

/** Escapes a value for a DN: RFC 4514, 2.4. */
export const escapeDn = (value: string) => value.replaceAll(/[,+"\\<>;=#]/g, "\\$&");

export async function startSlapd(): Promise<Slapd> {
  const dir = await Deno.makeTempDir({ prefix: "callboard_slapd_" });
  const ca = await makeCertificates(dir, "DNS:localhost");
  const [port, tlsPort] = [freePort(), freePort()];
  await writeConfig(dir);
  const uris = `ldap://localhost:${port} ldaps://localhost:${tlsPort}`;
  const server = new Deno.Command("/usr/sbin/slapd", {
    args: ["-f", join(dir, "slapd.conf"), "-h", uris, "-d", "0"],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const [ldap, ldaps] = [`ldap://localhost:${port}`, `ldaps://localhost:${tlsPort}`];
  await until(() => asRoot(ldap, () => Promise.resolve()).then(() => true, () => false));
  await plant(ldap);
  return {
    ldap,
    ldaps,
    ca,
    settings: (more = {}) => ({
      issuer: DEFAULT_ISSUER,
      url: ldaps,
      startTls: false,
      ca,
      bind: { dn: READER.dn, password: conceal(READER.password) },
      searchDn: BASE,
      searchFilter: "(uid=%s)",
      attributes: {
        id: "entryUUID",
        username: "uid",
        name: "displayName",
        email: "mail",
        groups: "memberOf",
      },
      groups: null,
      newAccounts: "create",
      ...more,
    }),
    addPerson: (uid, cn = uid) =>
      asRoot(ldap, (client) =>
        client.add(personDn(cn), {
          objectClass: "inetOrgPerson",
          sn: uid,
          uid,
          displayName: `${uid} of the tree`,
          // An e-mail address must be ASCII here.
          mail: `${encodeURIComponent(uid)}@tree.example`,
          userPassword: passwordOf(uid),
        })),
    addGroup: (cn, people) =>
      asRoot(
        ldap,
        (client) =>
          client.add(groupDn(cn), { objectClass: "groupOfNames", member: people.map(personDn) }),
      ),
    removePerson: (uid) => asRoot(ldap, (client) => client.del(personDn(uid))),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function asRoot(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ url, timeout: 5_000, connectTimeout: 5_000 });
  try {
    await client.bind(ROOT.dn, ROOT.password);
    await work(client);
  } finally {
    await client.unbind().catch(() => {});
  }
}

const plant = (url: string) =>
  asRoot(url, async (client) => {
    await client.add(BASE, { objectClass: ["dcObject", "organization"], dc: "example", o: "Tree" });
    for (const ou of ["people", "groups"]) {
      await client.add(`ou=${ou},${BASE}`, { objectClass: "organizationalUnit" });
    }
    const { dn, password } = READER;
    await client.add(dn, {
      objectClass: ["applicationProcess", "simpleSecurityObject"],
      userPassword: password,
    });
  });

async function writeConfig(dir: string): Promise<void> {
  await Deno.mkdir(join(dir, "db"));
  const schemas = ["core", "cosine", "inetorgperson"];
  await Deno.writeTextFile(
    join(dir, "slapd.conf"),
    [
      ...schemas.map((name) => `include /etc/ldap/schema/${name}.schema`),
      "modulepath /usr/lib/ldap",
      "moduleload back_mdb",
      "moduleload memberof",
      `TLSCACertificateFile ${join(dir, "ca.pem")}`,
      `TLSCertificateFile ${join(dir, "cert.pem")}`,
      `TLSCertificateKeyFile ${join(dir, "key.pem")}`,
      "database mdb",
      `suffix "${BASE}"`,
      `rootdn "${ROOT.dn}"`,
      `rootpw "${ROOT.password}"`,
      `directory ${join(dir, "db")}`,
      "access to attrs=userPassword by anonymous auth by * none",
      `access to * by dn.exact="${READER.dn}" read by * none`,
      "overlay memberof",
      "",
    ].join("\n"),
  );
}
