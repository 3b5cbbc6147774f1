/** The tables of docs/reference/key-vault-volumes.md that are made from the code. */
import { formatsOf } from '../../runtime/api/volumes/vault-objects.ts';
import type { Setting } from '../../runtime/base/settings.ts';
import { agentSettings } from '../../runtime/volumes/agent/config.ts';
import { volumeEvents } from '../../runtime/volumes/agent/volume-events.ts';
import { volumeMetricTable } from '../../runtime/volumes/agent/volume-metrics.ts';
import { type ParameterRow, providerObjectMembers, providerParameters } from '../../runtime/volumes/csi/parameters.ts';
import { type OptionRow, volumeOptions } from '../../runtime/volumes/options/table.ts';

/** The volume's options, as a table of Markdown. */
export function optionTable(): string {
  const rows = Object.entries(volumeOptions).map(([name, row]: [string, OptionRow]) => {
    const former = row.formerly ? ` Formerly \`${row.formerly}\`.` : '';
    return `| \`${name}\` | ${row.default ?? 'required'} | ${row.meaning}${former} |`;
  });
  return ['| option | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The formats of each object type, as a table of Markdown. */
export function formatTable(): string {
  const rows = Object.entries(formatsOf).map(
    ([type, formats]) => `| \`${type}\` | ${formats.map((format) => `\`${format}\``).join(', ')} |`,
  );
  return ['| type | formats, the default first |', '|---|---|', ...rows].join('\n');
}

/** Parameters of a SecretProviderClass, and the members of its objects. */
export function parameterTables(): string[] {
  const table = (title: string, rows: Readonly<Record<string, ParameterRow>>) =>
    [
      `| ${title} | default | meaning |`,
      '|---|---|---|',
      ...Object.entries(rows).map(([name, row]) => {
        const also = row.also ? ` Also \`${row.also}\`.` : '';
        return `| \`${name}\` | ${row.default ?? 'required'} | ${row.meaning}${also} |`;
      }),
    ].join('\n');
  return [table('parameter', providerParameters), table('member', providerObjectMembers)];
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/** The node agent's flags, as a table of Markdown. */
export function agentFlagTable(): string {
  const all: readonly Setting[] = Object.values(agentSettings);
  const rows = all.map(
    ({ flag, env, default: value, meaning }) =>
      `| \`--${flag}\` | \`${env}\` | ${value === '' ? '' : `\`${value}\``} | ${cell(meaning)} |`,
  );
  return ['| flag | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The node agent's metrics, as a table of Markdown. */
export function volumeMetricRows(): string {
  const rows = Object.entries(volumeMetricTable).map(
    ([name, { help, labelNames }]) =>
      `| \`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return ['| metric | labels | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The reasons of the node agent's Events, as a table of Markdown. */
export function volumeEventTable(): string {
  const rows = Object.entries(volumeEvents).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`);
  return ['| reason | when |', '|---|---|', ...rows].join('\n');
}
