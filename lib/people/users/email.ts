const ONE_ADDRESS =
  // deno-lint-ignore no-control-regex -- what it keeps out
  /^[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+@[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+$/;

/**
 * Whether a text is one address and nothing beside it: no list, no name, no comment, no line break.
 * What else a mail server would take is nobody's address here, and could be more than one.
 */
export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);
