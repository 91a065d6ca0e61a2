/** Whether a host, as in a URL or without the brackets of IPv6, is this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(host)
}
