import { Buffer } from "node:buffer";
import { join } from "node:path";
import { Attribute, Change, Client } from "ldapts";
import { conceal } from "@/lib/base/secret.ts";
import { DEFAULT_ISSUER, type LdapSettings } from "@/lib/ldap/settings.ts";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { escapeDn } from "./slapd.ts";
import { until } from "@/tests/support/basics/until.ts";

const BASE = "dc=ad,dc=example,dc=com";
const ADMIN = { dn: `cn=Administrator,cn=Users,${BASE}`, password: "Adm1n of the domain" };

/** Domain controllers of Active Directory listen on ports that only root may open. */
export const canServeDomain = Deno.uid() === 0 && await exists("/usr/sbin/samba");

/** A real Active Directory domain, served by Samba on a loopback address of its own. */
export interface Samba extends AsyncDisposable {
  settings(more?: Partial<LdapSettings>): LdapSettings;
  /** Adds a person with this name of the entry. */
  addPerson(username: string, cn: string): Promise<void>;
  addGroup(cn: string, people: string[]): Promise<void>;
  /** Changes attributes of a person's entry. */
  changePerson(cn: string, attributes: Record<string, string>): Promise<void>;
  /** Changes attributes of the domain, such as its rules for passwords. */
  changeDomain(attributes: Record<string, string>): Promise<void>;
}

/** Returns a password that is complex enough for a domain. */
export const domainPasswordOf = (username: string) => `Wörd 1 of ${username.toUpperCase()}`;
export const domainGroupDn = (cn: string) => `CN=${escapeDn(cn)},CN=Users,DC=ad,DC=example,DC=com`;

export async function startSamba(): Promise<Samba> {
  const dir = await Deno.makeTempDir({ prefix: "callboard_samba_" });
  const address = `127.${[1, 2, 3].map(() => 1 + Math.floor(Math.random() * 250)).join(".")}`;
  const ca = await makeCertificates(dir, `IP:${address}`);
  await Deno.mkdir(join(dir, "run"));
  const options = Object.entries({
    "interfaces": `${address}/8`,
    "bind interfaces only": "yes",
    "server services": "ldap",
    "pid directory": join(dir, "run"),
    "ncalrpc dir": join(dir, "run", "ncalrpc"),
    "log file": join(dir, "log"),
    "tls cafile": join(dir, "ca.pem"),
    "tls certfile": join(dir, "cert.pem"),
    "tls keyfile": join(dir, "key.pem"),
  }).map(([name, value]) => `--option=${name}=${value}`);
  await provision(dir, options);
  const server = new Deno.Command("/usr/sbin/samba", {
    args: ["-i", "-M", "single", `--configfile=${join(dir, "etc", "smb.conf")}`, ...options],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const url = `ldaps://${address}`;
  const asAdmin = async (work: (client: Client) => Promise<void>) => {
    const client = new Client({ url, tlsOptions: { ca }, timeout: 20_000, connectTimeout: 5_000 });
    try {
      await client.bind(ADMIN.dn, ADMIN.password);
      await work(client);
    } finally {
      await client.unbind().catch(() => {});
    }
  };
  await until(() => asAdmin(() => Promise.resolve()).then(() => true, () => false));
  return {
    settings: (more = {}) => settingsOf(url, ca, more),
    ...domainOf(asAdmin),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

const personDn = (cn: string) => `cn=${escapeDn(cn)},cn=Users,${BASE}`;

const settingsOf = (url: string, ca: string, more: Partial<LdapSettings>): LdapSettings => ({
  issuer: DEFAULT_ISSUER,
  url,
  startTls: false,
  ca,
  bind: { dn: ADMIN.dn, password: conceal(ADMIN.password) },
  searchDn: BASE,
  searchFilter: "(&(objectClass=user)(sAMAccountName=%s))",
  attributes: {
    id: "objectGUID",
    username: "sAMAccountName",
    name: "cn",
    email: "mail",
    groups: "memberOf",
  },
  groups: null,
  newAccounts: "create",
  ...more,
});

type AsAdmin = (work: (client: Client) => Promise<void>) => Promise<void>;

function domainOf(asAdmin: AsAdmin): Omit<Samba, "settings" | keyof AsyncDisposable> {
  const replace = (dn: string, attributes: Record<string, string>) =>
    asAdmin(async (client) => {
      for (const [type, value] of Object.entries(attributes)) {
        const modification = new Attribute({ type, values: [value] });
        await client.modify(dn, new Change({ operation: "replace", modification }));
      }
    });
  return {
    addPerson: (username, cn) =>
      asAdmin((client) =>
        client.add(personDn(cn), [
          new Attribute({ type: "objectClass", values: ["user"] }),
          new Attribute({ type: "sAMAccountName", values: [username] }),
          new Attribute({ type: "mail", values: [`${crypto.randomUUID()}@ad.example.com`] }),
          // An enabled account of the ordinary kind.
          new Attribute({ type: "userAccountControl", values: ["512"] }),
          new Attribute({
            type: "unicodePwd",
            values: [Buffer.from(`"${domainPasswordOf(username)}"`, "utf16le")],
          }),
        ])
      ),
    addGroup: (cn, people) =>
      asAdmin((client) =>
        client.add(domainGroupDn(cn), {
          objectClass: "group",
          sAMAccountName: `group ${crypto.randomUUID().slice(0, 8)}`,
          member: people.map(personDn),
        })
      ),
    changePerson: (cn, attributes) => replace(personDn(cn), attributes),
    changeDomain: (attributes) => replace(BASE, attributes),
  };
}

/** Creates the domain, which takes some seconds. */
async function provision(dir: string, options: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("samba-tool", {
    args: [
      ...["domain", "provision", "--server-role=dc", "--dns-backend=NONE"],
      ...["--realm=AD.EXAMPLE.COM", "--domain=AD", `--targetdir=${dir}`, "--host-name=dc"],
      `--adminpass=${ADMIN.password}`,
      ...options,
    ],
    stdout: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
