/** The tables of docs/reference/key-vault-volumes.md that are made from the code. */
import { formatsOf } from '../runtime/api/volumes/vault-objects.ts';
import { type OptionRow, volumeOptions } from '../runtime/volumes/options.ts';

export function optionTable(): string {
  const rows = Object.entries(volumeOptions).map(([name, row]: [string, OptionRow]) => {
    const former = row.formerly ? ` Once \`${row.formerly}\`.` : '';
    return `| \`${name}\` | ${row.default ?? 'required'} | ${row.meaning}${former} |`;
  });
  return ['| option | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

export function formatTable(): string {
  const rows = Object.entries(formatsOf).map(
    ([type, formats]) => `| \`${type}\` | ${formats.map((format) => `\`${format}\``).join(', ')} |`,
  );
  return ['| type | formats, the default first |', '|---|---|', ...rows].join('\n');
}
