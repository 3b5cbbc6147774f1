import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { didYouMean, type Problems, quoted } from '../problems.ts';
import { scopeOfSchema } from './deployments/deployment-scope.ts';

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
  'apiProfile',
  'definitions',
];

/** The versions of the language, with the experimental ones that the Bicep compiler writes. */
const languages = ['1.0', '1.9-experimental', '1.10-experimental', '2.0', '2.1-experimental', '2.2-experimental'];

/** Sections that Azure has and a cluster cannot have, with the reason. */
const refused: Readonly<Record<string, string>> = {
  asserts: 'Azure has them for tests alone: remove them',
  extensions:
    'resources of Kubernetes and Microsoft Graph are no ARM resources: declare them as objects of the cluster',
  imports: 'resources of Kubernetes and Microsoft Graph are no ARM resources: declare them as objects of the cluster',
};

/** Whether resources are an object of symbolic names: languageVersion 2.0. */
export function isSymbolic(node: JsonNode): boolean {
  const version = memberOf(node, 'languageVersion');
  return version?.kind === 'string' && version.value !== '1.0';
}

/** Whether a template can be expanded: it is an object. Reports sections and texts that are refused, by name. */
export function checkSections(node: JsonNode, problems: Problems, isInner = false): boolean {
  if (node.kind !== 'object') {
    problems.add('Structure', node, 'A template must be an object');
    return false;
  }
  for (const [name, member] of node.members) {
    if (!sections.some((section) => section.toLowerCase() === name.toLowerCase())) {
      const isRefused = Object.hasOwn(refused, name.toLowerCase());
      const reason = isRefused ? refused[name.toLowerCase()] : `remove it${didYouMean(name, sections)}`;
      problems.add('Unsupported', member, `${quoted(name)} of a template is not supported: ${reason}`);
    }
  }
  const schema = memberOf(node, '$schema');
  // The scope of an inner template follows from its deployment, whatever its schema.
  if (schema?.kind !== 'string' || (scopeOfSchema(schema.value) === undefined && !isInner)) {
    const message =
      '$schema must be that of a template: …/deploymentTemplate.json# or that of a subscription, management group or tenant';
    problems.add('Unsupported', schema ?? node, message);
  }
  if (memberOf(node, 'definitions') && !isSymbolic(node)) {
    problems.add('Unsupported', memberOf(node, 'definitions') ?? node, 'definitions need languageVersion 2.0');
  }
  const language = memberOf(node, 'languageVersion');
  if (language && (language.kind !== 'string' || !languages.includes(language.value))) {
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
