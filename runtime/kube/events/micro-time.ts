/** `metav1.MicroTime`: RFC 3339 with exactly six fractional digits, which the API server insists on. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
