/** A time in milliseconds since the epoch as RFC 3339, without fractions of a second. */
export function timestamp(time: number): string {
  return new Date(Math.floor(time / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
