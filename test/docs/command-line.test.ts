import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Setting } from '../../runtime/base/settings.ts';
import { convertFlags } from '../../runtime/convert/config.ts';
import { applyFlags } from '../../runtime/plan/apply-config.ts';
import { planFlags } from '../../runtime/plan/config.ts';
import { uiFlags } from '../../runtime/ui/config.ts';
import { uninstallFlags } from '../../runtime/uninstall/config.ts';
import { kindsFlags } from '../../runtime/view/kinds/config.ts';
import { treeFlags } from '../../runtime/view/tree/config.ts';
import { watchFlags } from '../../runtime/view/watch/config.ts';

const page = readFileSync('docs/reference/command-line.md', 'utf8');
const section = (title: string) => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

test.each([
  ['azimuth tree', treeFlags],
  ['azimuth plan', planFlags],
  ['azimuth apply', applyFlags],
  ['azimuth convert', convertFlags],
  ['azimuth kinds', kindsFlags],
  ['azimuth watch', watchFlags],
  ['azimuth uninstall', uninstallFlags],
  ['azimuth ui', uiFlags],
])('the reference of %s lists exactly its flags', (program, flags) => {
  const found = [...section(program).matchAll(/^\| `--.*$/gm)].map(([row]) => row);
  const wanted = Object.values(flags).map(({ flag, short, default: fallback, meaning }: Setting) => {
    const value = fallback === '' ? '' : `\`${fallback}\``;
    return `| \`--${flag}\`${short ? `, \`-${short}\`` : ''} | ${value} | ${meaning} |`;
  });
  expect(found).toEqual(wanted);
});
