import { checkRelativePath } from '../../../runtime/api/volumes/file-names.ts';
import { mostSelections, namePlaceholder, selectionProblem } from '../../../runtime/api/volumes/object-selections.ts';
import type { CsiObject, CsiSelection, KeyVaultCsiVolumeProps } from '../key-vault-volume-props.ts';
import { fileProblems, vaultVolumeProblems } from './vault-volume-problems.ts';

/** Everything for which the provider or the driver would refuse the volume, for synthesis. */
export function csiVolumeProblems(props: KeyVaultCsiVolumeProps, name: string): string[] {
  const objects = props.objects.filter((entry): entry is CsiObject => 'name' in entry);
  const selections = props.objects.filter((entry): entry is CsiSelection => !('name' in entry));
  const problems = vaultVolumeProblems({ ...props, objects, selections: selections.length }, name, checkRelativePath);
  for (const { type, name: object, history = 1 } of objects) {
    if (Number.isInteger(history) && history >= 1 && history <= 100) continue;
    problems.push(`Expected \`history\` of the ${type} "${object}" to be 1 to 100, got \`${history}\``);
  }
  problems.push(...selections.flatMap(selectionProblems));
  if (selections.length > mostSelections) {
    problems.push(`Expected \`objects\` to have at most ${mostSelections} patterns and tags, got ${selections.length}`);
  }
  const { provider = 'azure', reader } = props;
  if (!/^[a-zA-Z0-9_-]{1,30}$/.test(provider)) {
    problems.push(`Expected \`provider\` to be 1 to 30 letters, digits, - and _, got \`${provider}\``);
  }
  if (reader.kind === 'workload' && reader.clientId === '') {
    problems.push('Expected `reader.clientId` to be the client id that the service account acts as, got ``');
  }
  return problems;
}

function selectionProblems(selection: CsiSelection): string[] {
  const { type, pattern = '', tag = '', file = namePlaceholder } = selection;
  if (pattern === '' && tag === '') return [`Expected \`name\`, \`pattern\` or \`tag\` of each ${type}, got none`];
  const entry = `each ${type} with ${pattern === '' ? `the tag "${tag}"` : `the pattern "${pattern}"`}`;
  const problem = selectionProblem({ pattern, tag, file });
  return [
    ...(problem ? [`\`${problem.text}\` of ${entry} ${problem.mustBe}`] : []),
    ...fileProblems(selection, entry, checkRelativePath),
  ];
}
