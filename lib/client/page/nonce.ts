/**
 * The nonce that lets scripts and styles of this page run. Read once, because merging another page
 * replaces the scripts that have it.
 */
export const nonce = document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
