/**
 * The last segment of the operator's own id for an object of a service other than ARM. Ids compare without regard to
 * case and take few characters, but accounts of databases differ by case and take all of them. Letters in lower case,
 * digits and `-._` stay; other bytes of UTF-8 are written as in quoted-printable: `=41`.
 */
export function accountSegment(name: string): string {
  const bytes = [...new TextEncoder().encode(name)];
  const text = bytes.map((byte) => {
    const letter = String.fromCharCode(byte);
    return /[a-z0-9._-]/.test(letter) ? letter : `=${byte.toString(16).padStart(2, '0')}`;
  });
  // Dots alone are no segment of an id.
  return text.join('').replace(/^\.+$/, (dots) => '=2e'.repeat(dots.length));
}
