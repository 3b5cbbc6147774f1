import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { type Problems, quoted } from '../problems.ts';

const sections = [
  '$schema',
  'languageVersion',
  'contentVersion',
  'parameters',
  'variables',
  'functions',
  'resources',
  'outputs',
  'metadata',
];

/** Whether resources are an object of symbolic names: languageVersion 2.0. */
export function isSymbolic(node: JsonNode): boolean {
  const version = memberOf(node, 'languageVersion');
  return version?.kind === 'string' && version.value === '2.0';
}

/** Whether a template can be expanded: it is an object. Reports sections and texts that are refused, by name. */
export function checkSections(node: JsonNode, problems: Problems): boolean {
  if (node.kind !== 'object') {
    problems.add('Structure', node, 'A template must be an object');
    return false;
  }
  for (const [name, member] of node.members) {
    if (!sections.some((section) => section.toLowerCase() === name.toLowerCase())) {
      problems.add('Unsupported', member, `${quoted(name)} of a template is not supported: remove it`);
    }
  }
  const schema = memberOf(node, '$schema');
  if (schema?.kind !== 'string' || !/\/deploymentTemplate\.json#?$/i.test(schema.value)) {
    problems.add('Unsupported', schema ?? node, '$schema must be that of a resource group: …/deploymentTemplate.json#');
  }
  const language = memberOf(node, 'languageVersion');
  if (language && (language.kind !== 'string' || !['1.0', '2.0'].includes(language.value))) {
    problems.add('Unsupported', language, 'languageVersion must be 1.0 or 2.0');
  }
  if (!memberOf(node, 'contentVersion')) problems.add('Structure', node, 'contentVersion is missing: add 1.0.0.0');
  if (!memberOf(node, 'resources')) problems.add('Structure', node, 'resources is missing: add it');
  return true;
}

/** Reports texts of a template, and of those inside of it, that are longer than Azure takes. */
export function checkTexts(node: JsonNode, problems: Problems): void {
  const { literalCharacters: most } = templateLimits;
  if (node.kind === 'string' && node.value.length > most) {
    problems.add('Limit', node, `The text has ${node.value.length} characters, at most ${most} are allowed`);
  }
  if (node.kind === 'array') for (const item of node.items) checkTexts(item, problems);
  if (node.kind === 'object') for (const member of node.members.values()) checkTexts(member, problems);
}
