/** Id of the part of a template's form about checks, to which other pages link. */
export const CHECKS_SECTION = "template-checks";
