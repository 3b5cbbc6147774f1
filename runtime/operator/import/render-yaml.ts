import { stringify } from 'yaml';
import type { ImportedManifest } from './manifests.ts';

/** The manifests as documents for kubectl, each under a comment with the ARM id it stands for. */
export function renderYaml(manifests: readonly ImportedManifest[]): string {
  // kubectl reads YAML 1.1, to which `on`, `no` and `1:30` are not the strings they are in 1.2.
  const text = (object: object) => stringify(object, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 });
  return manifests.map(({ id, object }) => `---\n# ${id}\n${text(object)}`).join('');
}
