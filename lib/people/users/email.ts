const ONE_ADDRESS =
  // deno-lint-ignore no-control-regex -- they are excluded
  /^[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+@[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+$/;

/**
 * Whether a text is exactly one address, without a list, a name, a comment or a line break. Other
 * forms that a mail server would accept are not used here, and could be more than one address.
 */
export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);
