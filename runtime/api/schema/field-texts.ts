import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** What Azure's SDK says about fields, by `group/Kind` and then by path, such as `spec.sku.name`. */
export type FieldTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The file's name below `generated`, in the built package. */
export const fieldTextsName = 'field-texts.json.br';

// In the package beside the data of the kinds; a clone has what its last `npm run build` wrote.
const ofPackage = new URL(`./generated/${fieldTextsName}`, import.meta.url);
const ofClone = new URL(`../../../dist/package/generated/${fieldTextsName}`, import.meta.url);

/** Whether this is the built package, which always has the texts. */
export const hasFieldTexts = () => existsSync(ofPackage);

let texts: FieldTexts | undefined;

/** Reads the texts once. @throws Error in a clone where the package was not built */
export function readFieldTexts(): FieldTexts {
  if (texts) return texts;
  const file = [ofPackage, ofClone].find((each) => existsSync(each));
  if (!file)
    throw new Error('Expected the descriptions of fields, which this clone does not have: run `npm run build`');
  texts = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as FieldTexts;
  return texts;
}
