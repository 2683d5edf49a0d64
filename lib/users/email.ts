/**
 * One address and nothing beside it: no list, no name, no comment, no line break. What else a mail
 * server would take is nobody's address here, and could be more than one.
 */
// deno-lint-ignore no-control-regex -- \p{Cc} would be unknown to readers of the document
const ONE_ADDRESS =
  /^[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+@[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+$/;

export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);
