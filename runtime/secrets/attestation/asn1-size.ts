/**
 * Whether bytes in BER have at most so many elements, by their headers alone. A parser makes objects of each: a request
 * with thousands of empty ones would cost a hundred times a real document.
 */
export function hasElementsUpTo(most: number, bytes: Uint8Array): boolean {
  let at = 0;
  for (let count = 0; at < bytes.length; count++) {
    if (count >= most) return false;
    const tag = bytes[at] ?? 0;
    at += 1;
    // A tag number of several bytes.
    if ((tag & 0x1f) === 0x1f) while (((bytes[at++] ?? 0) & 0x80) !== 0);
    const first = bytes[at++] ?? 0;
    let length = first & 0x7f;
    if (first > 0x80) {
      length = 0;
      for (let left = first & 0x7f; left > 0; left--)
        length = Math.min(length * 256 + (bytes[at++] ?? 0), bytes.length);
    }
    // The content of a constructed element, or of one of indefinite length, comes next.
    if ((tag & 0x20) === 0 && first !== 0x80) at += length;
  }
  return true;
}
