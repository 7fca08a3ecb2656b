/** A name, an IPv4 or a bracketed IPv6 address, and perhaps a port, in characters that mean nothing else in an address. */
const shape = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether text is `host` or `host:port`, as a Host header has it (RFC 9110, 7.2), and an address can begin with it. */
export function isHost(text: string): boolean {
  return shape.test(text) && URL.canParse(`http://${text}`);
}
