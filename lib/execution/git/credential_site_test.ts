import assert from "node:assert/strict";
import { credentialSite, type CredentialType } from "./credential_site.ts";

Deno.test("hosts and addresses of credentials are read in parts", () => {
  const read = (type: CredentialType, text: string) => {
    const site = credentialSite(type, text);
    return site && Object.values(site).join(" ");
  };
  assert.deepEqual(read("host", "Git.Example.COM"), "ssh git.example.com *  ");
  assert.deepEqual(read("host", "[::1]"), "ssh ::1 *  ");
  assert.deepEqual(read("url", "https://git.example.com"), "https git.example.com 443  ");
  assert.deepEqual(
    read("url", "HTTPS://Git.Example.com:443/Team/"),
    "https git.example.com 443  Team",
  );
  assert.deepEqual(read("url", "http://h:8080/a/b.git"), "http h 8080  a/b");
  assert.deepEqual(read("url", "https://h/a%20b"), null);
  assert.deepEqual(read("url", "https://h/%C3%A9"), "https h 443  é");
  assert.deepEqual(read("url", "git@github.com:team/"), "ssh github.com 22 git team");
  assert.deepEqual(read("url", "github.com:"), "ssh github.com 22  ");
  assert.deepEqual(read("url", "git@github.com/team"), "ssh github.com 22 git team");
  assert.deepEqual(read("url", "ssh://git@[::1]:2222/srv"), "ssh ::1 2222 git srv");
  const wrong = {
    host: ["", "a b", "a/b", "git@h", "-oProxyCommand=x", "h:22", "*", "h\n", "https://h"],
    url: [
      ...["", "git.example.com", "https://", "https://bob@h", "https://bob:pw@h/"],
      ...["https://h/?a", "https://h/#a", "https://h\\x", "file:///srv", "ext::sh -c id", "/srv"],
      ...["ssh://bob:pw@h", "h:a/../b", "h:./a", "https://h/%zz", "https://*/x", "-x:y", "git://h"],
    ],
  };
  for (const [type, texts] of Object.entries(wrong)) {
    for (const text of texts) assert.equal(read(type as CredentialType, text), null, text);
  }
});
