import { isFixedRole, ROLES } from "../model/roles.ts";

/** Returns the number of a role's box in forms, which a form that was stored before has, too. */
export const roleNumber = (slug: string): number =>
  isFixedRole(slug)
    ? ROLES.indexOf(slug)
    : [...slug].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 999_983, 7) +
      ROLES.length;
