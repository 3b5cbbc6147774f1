import { Document, Scalar, visit } from 'yaml';
import { escaped, isPrintable, onOneLine } from '../base/text/printable.ts';
import type { ImportedManifest } from './manifests.ts';

/**
 * The manifests as documents for kubectl, each under a comment with the ARM id it stands for. Anyone who may write
 * a tag in Azure chooses values: each stays a value for any reader of YAML.
 */
export function renderYaml(manifests: readonly ImportedManifest[]): string {
  return manifests.map(({ id, object }) => `---\n# ${onOneLine(id)}\n${documentOf(object)}`).join('');
}

function documentOf(object: object): string {
  // kubectl reads YAML 1.1, to which `on`, `no` and `1:30` are not the strings they are in 1.2.
  const document = new Document(object, { version: '1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value !== 'string') return;
      scalar.value = scalar.value.toWellFormed();
      // To kubectl this is a merge even in quotes, unless a tag marks it as a string.
      if (scalar.value === '<<') scalar.tag = 'tag:yaml.org,2002:str';
      if (!isPlain(scalar.value as string)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // Nothing unprintable is outside of double quotes now.
  return escaped(document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY }));
}

/** Whether it may stand without quotes where it is no word of YAML; readers differ about numbers, dates and merges. */
function isPlain(text: string): boolean {
  return /^[\p{L}/]/u.test(text) && isPrintable(text);
}
