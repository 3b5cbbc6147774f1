/** One block of PEM text (RFC 7468). */
export interface PemBlock {
  /** Such as `CERTIFICATE`. */
  readonly label: string;
  /** The text from BEGIN to END, both included. */
  readonly block: string;
}

const dashes = '-----';

/**
 * The PEM blocks of a text in their order, in time linear to the text. The next dashes after BEGIN must be the END of
 * the same label; a BEGIN without that is no block.
 */
export function* pemBlocks(text: string): Generator<PemBlock> {
  for (const { 0: begin, 1: label = '', index } of text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,64})-----/g)) {
    const end = `${dashes}END ${label}${dashes}`;
    const at = text.indexOf(dashes, index + begin.length);
    if (at > index + begin.length && text.startsWith(end, at)) {
      yield { label, block: text.slice(index, at + end.length) };
    }
  }
}
