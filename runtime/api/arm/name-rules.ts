import { isObject } from '../../base/json.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import { armKindsOfType } from '../kinds.ts';
import { type Problem, problem } from '../problem.ts';
import type { ArmKind, KindDefinition } from '../types.ts';
import { validateValue } from '../validate.ts';
import { armResource } from './arm-resource.ts';

/** The rules of Azure for a name. */
export type NameRules = Pick<NonNullable<ArmKind['azureName']>, 'minLength' | 'maxLength' | 'pattern'>;

/** Most characters of a name of Kubernetes. */
const maxNameLength = 253;

/**
 * The rules of Azure that `metadata.name` can break where it is the name in Azure; undefined for a kind without such rules.
 * No kind with rules makes its names from others.
 */
export function defaultNameRules({ arm }: KindDefinition): NameRules | undefined {
  const { minLength = 1, maxLength = maxNameLength, pattern } = arm?.azureName ?? {};
  const rules = {
    ...(minLength > 1 && { minLength }),
    ...(maxLength < maxNameLength && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
  return Object.keys(rules).length > 0 ? rules : undefined;
}

/**
 * Why Azure would refuse the name of an object that takes its name from `metadata.name`. For objects that are new: one that
 * exists keeps its name.
 */
export function defaultNameProblem(definition: KindDefinition, { metadata, spec }: ManifestParts): Problem | undefined {
  const rules = defaultNameRules(definition.kind === armResource.kind ? kindOfType(spec) : definition);
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (!rules || typeof name !== 'string') return undefined;
  // No empty value: the schema itself refuses one.
  if (isObject(spec) && (spec['azureName'] ?? spec['azureNameFromConfig'] ?? undefined) !== undefined) return undefined;
  if (validateValue({ type: 'string', ...rules }, name).length === 0) return undefined;
  return problem('metadata.name', `${words(rules)}, or spec.azureName with such a name`, name);
}

/** The kind whose names an ArmResource has; ArmResource itself for a type that no kind or several kinds have. */
function kindOfType(spec: unknown): KindDefinition {
  const type = isObject(spec) ? spec['type'] : undefined;
  const [kind, ...others] = armKindsOfType(typeof type === 'string' ? normalizeText(type.split('@')[0] ?? '') : '');
  return kind && others.length === 0 ? kind : armResource;
}

interface ManifestParts {
  readonly metadata?: unknown;
  readonly spec?: unknown;
}

function words({ minLength = 1, maxLength, pattern }: NameRules): string {
  const length = maxLength === undefined ? `at least ${minLength}` : `${minLength} to ${maxLength}`;
  const characters = minLength > 1 || maxLength !== undefined ? ` of ${length} characters` : '';
  return `a name in Azure${characters}${pattern === undefined ? '' : ` that matches ${pattern}`}`;
}
