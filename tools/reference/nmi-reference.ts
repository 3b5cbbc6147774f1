/** The tables of docs/reference/nmi.md, made from the code; a test compares them with the page. */

import type { Setting } from '../../runtime/base/settings.ts';
import { auditEvents } from '../../runtime/nmi/audit.ts';
import { retiredFlags, settings } from '../../runtime/nmi/config/config.ts';
import { nmiMetricTable } from '../../runtime/nmi/nmi-metrics.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The generated tables of docs/reference/nmi.md. */
export function nmiReferenceTables(): Readonly<Record<'flags' | 'retired' | 'metrics' | 'events', string>> {
  const all: readonly Setting[] = Object.values(settings);
  return {
    flags: table(
      ['flag', 'variable', 'default', 'meaning'],
      all.map(({ flag, env, default: value, meaning, aliases = [] }) => [
        [flag, ...aliases].map((name) => `\`--${name}\``).join(', '),
        `\`${env}\``,
        value === '' ? '' : `\`${value}\``,
        meaning,
      ]),
    ),
    retired: table(
      ['flag', 'why it has no effect'],
      Object.entries(retiredFlags).map(([flag, why]) => [`\`--${flag}\``, why]),
    ),
    metrics: table(
      ['metric', 'labels', 'meaning'],
      Object.entries(nmiMetricTable).map(([name, { labelNames, help }]) => [
        `\`${name}\``,
        labelNames.map((label) => `\`${label}\``).join(', '),
        help,
      ]),
    ),
    events: table(
      ['reason', 'when'],
      Object.entries(auditEvents).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    ),
  };
}
