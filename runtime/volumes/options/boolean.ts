/** Parses Go's spellings of booleans, which manifests may have; '' is false. Undefined for other texts. */
export function tryBoolean(text: string): boolean | undefined {
  if (/^(1|t|true)$/i.test(text)) return true;
  if (/^(0|f|false)?$/i.test(text)) return false;
  return undefined;
}
