import { styleText } from 'node:util';
import { onOneLine } from '../base/text/printable.ts';
import type { PathChange, Plan, PlanAction, PlannedChange } from '../compute/plan/change.ts';
import type { WhatIf, WhatIfChangeType } from '../compute/what-if/what-if.ts';

/** Sign of each action, as other tools for plans write them. */
export const signs: Readonly<Record<PlanAction, string>> = {
  Create: '+',
  Modify: '~',
  Replace: '-/+',
  Delete: '-',
  None: ' ',
  Unknown: '?',
};
const colours: Readonly<Partial<Record<PlanAction, Parameters<typeof styleText>[0]>>> = {
  Create: 'green',
  Modify: 'yellow',
  Replace: 'red',
  Delete: 'red',
  Unknown: 'cyan',
};
/** Characters of a value. */
const mostValue = 200;
/** Changed values of one object that are shown; `-o json` has more. */
const mostPaths = 40;

/** The plan as text: one line for each object that changes, its changes below it, problems, and the counts. */
export function renderText(plan: Plan, options: { readonly colours: boolean }): string {
  const { changes, problems, notes, whatIf } = plan;
  const shown = changes.filter(({ action }) => action !== 'None');
  return [
    ...shown.flatMap((change) => changeLines(change, options.colours)),
    ...(shown.length > 0 ? [''] : []),
    ...notes.map((note) => onOneLine(`Note: ${note}`)),
    ...problems.map(({ path, message }) => onOneLine(`Problem: ${path}: ${message}`)),
    problems.length > 0 ? `Problems: ${problems.length}. Nothing should be applied.` : summary(changes),
    ...(whatIf?.status === 'Succeeded' ? [resourceSummary(whatIf)] : []),
  ].join('\n');
}

/** The last line: `Plan: 2 to create, 1 to change, 0 to delete`. */
export function summary(changes: readonly PlannedChange[]): string {
  const count = (action: PlanAction) => changes.filter((change) => change.action === action).length;
  const more = [
    count('Replace') > 0 ? `, ${count('Replace')} to replace` : '',
    count('Unknown') > 0 ? `, ${count('Unknown')} unknown` : '',
    count('None') > 0 ? `, ${count('None')} unchanged` : '',
  ].join('');
  return `Plan: ${count('Create')} to create, ${count('Modify')} to change, ${count('Delete')} to delete${more}`;
}

const changeTexts: Readonly<Record<WhatIfChangeType, string>> = {
  Create: 'to create',
  Delete: 'to delete',
  Deploy: 'to deploy',
  Modify: 'to modify',
  Unsupported: 'unsupported',
  NoChange: 'no change',
  Ignore: 'to ignore',
};

/** As az ends its what-if: `Resource changes: 1 to create, 2 no change.` */
function resourceSummary({ properties }: WhatIf): string {
  const counts = Object.entries(changeTexts).flatMap(([type, text]) => {
    const count = properties.changes.filter(({ changeType }) => changeType === type).length;
    return count > 0 ? [`${count} ${text}`] : [];
  });
  return `Resource changes: ${counts.join(', ') || 'no change'}.`;
}

function changeLines({ key, namespace, location, action, paths, notes }: PlannedChange, coloured: boolean): string[] {
  const where = [namespace, location].filter((text) => text !== undefined && text !== '').join(', ');
  const head = onOneLine(`${signs[action]} ${key} (${where})`);
  const colour = colours[action];
  return [
    coloured && colour ? styleText(colour, head, { validateStream: false }) : head,
    ...notes.map((note) => onOneLine(`    # ${note}`)),
    ...paths.slice(0, mostPaths).map((path) => onOneLine(`    ${pathLine(path)}`)),
    ...(paths.length > mostPaths ? [`    and ${paths.length - mostPaths} more`] : []),
  ];
}

function pathLine({ path, before, after, isSecret, isFixed, isInAzure }: PathChange): string {
  const remarks = [...(isInAzure ? ['in Azure'] : []), ...(isFixed ? ['forces a replacement'] : [])];
  const remark = remarks.length > 0 ? `  # ${remarks.join(', ')}` : '';
  if (isSecret) return `~ ${path}: (secret)${remark}`;
  if (before === undefined && after === undefined) return `~ ${path}${remark}`;
  if (before === undefined) return `+ ${path}: ${valueText(after)}${remark}`;
  if (after === undefined) return `- ${path}: ${valueText(before)}${remark}`;
  return `~ ${path}: ${valueText(before)} -> ${valueText(after)}${remark}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > mostValue ? `${text.slice(0, mostValue)}...` : text;
}
