import { reveal } from "../../base/secret.ts";
import { answerObject, CA_FIELD, requireCredential, requireSuccess, urlBelow } from "./answers.ts";
import { sourceError } from "./errors.ts";
import type { SourceAccess, SourceKind, SourceValues } from "./kind.ts";
import { askSource } from "./request.ts";

/** Ids of vaults and items: 26 letters and digits. */
const ID = /^[a-z0-9]{26}$/;

interface Item {
  fields: { id: string; label?: string; value?: string; section?: { id?: string } }[];
  sections: { id: string; label?: string }[];
}

/**
 * 1Password through a Connect server: https://developer.1password.com/docs/connect/api-reference. A
 * path is vault/item, each by its name or id. Values are fields by their labels, or by
 * section.label. The credential is an access token of the server.
 */
export const onepassword: SourceKind = {
  fields: [{ name: "url", type: "url", required: true }, CA_FIELD],
  hasSecret: () => true,
  sendsSecret: () => true,
  open: (access) => ({
    async read(path) {
      const [vault, ...item] = path.split("/");
      const vaultId = await idOf(access, path, "/v1/vaults", `name eq ${quoted(vault)}`, vault);
      const items = `/v1/vaults/${vaultId}/items`;
      const title = item.join("/");
      const itemId = await idOf(access, path, items, `title eq ${quoted(title)}`, title);
      return {
        values: valuesOfItem(answerObject<Item>(await ask(access, path, `${items}/${itemId}`))),
      };
    },
  }),
};

/** Returns a text of a filter (RFC 7644, section 3.4.2.2). */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** Returns the id of the only object with this name. An id stands for itself. */
async function idOf(
  access: SourceAccess,
  path: string,
  list: string,
  filter: string,
  name: string,
): Promise<string> {
  if (ID.test(name)) return name;
  const text = await ask(access, path, `${list}?filter=${encodeURIComponent(filter)}`);
  const found = Object.values(answerObject<{ id: string }[]>(text)) as { id: string }[];
  if (found.length === 0) throw sourceError(access.storage, path, "missing");
  if (found.length > 1) throw sourceError(access.storage, path, "ambiguous");
  return found[0].id;
}

async function ask(access: SourceAccess, path: string, apiPath: string): Promise<string> {
  const { url, ca_certificate: ca } = access.storage.params;
  const token = reveal(requireCredential(access), "source");
  const answer = await askSource({ ...access, path }, {
    url: urlBelow(url, apiPath),
    headers: { Authorization: `Bearer ${token}` },
    ca,
    secrets: [token],
  });
  requireSuccess(access, path, answer);
  return answer.text;
}

/** Returns the fields that have a value. Of several with one label, the first one counts. */
function valuesOfItem({ fields = [], sections = [] }: Partial<Item>): SourceValues["values"] {
  const labels = new Map(sections.map(({ id, label }) => [id, label]));
  const values: Record<string, string> = {};
  for (const { id, label, value, section } of fields) {
    if (value === undefined) continue;
    const name = label || id;
    const within = labels.get(section?.id ?? "");
    if (within) values[`${within}.${name}`] ??= value;
    values[name] ??= value;
  }
  return values;
}
