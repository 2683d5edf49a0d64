import { RESERVED_SLUGS } from "../../access/rules/role_slug.ts";
import { isFixedRole } from "../../model/roles.ts";

/** Returns a slug made of a role's name, such as "night-shift", that is none of `taken`. */
export function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 32);
  const base = plain.split("-").filter((part) => part !== "").join("-") || "role";
  for (let n = 1;; n++) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!isFixedRole(slug) && !RESERVED_SLUGS.includes(slug) && !taken.has(slug)) return slug;
  }
}
