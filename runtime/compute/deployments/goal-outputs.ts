/** The outputs of an ARM template in one location, for a ConfigMap and a Secret. */
import type { BodySecret } from '../../api/arm/body-secrets.ts';
import { SecretValue } from '../../base/secret-value.ts';
import { sourceOf } from '../manifests/body-secrets.ts';
import { isSecureType } from '../templates/document/parameters/types.ts';
import { textOfSecret } from '../templates/evaluation/secret-expression.ts';
import { type ExpandedTemplate, resolveUnknowns } from '../templates/expand-template.ts';
import { TemplateError, TemplateStop } from '../templates/problems.ts';
import { type TemplateValue, templateObject } from '../templates/values/value.ts';
import { infoOf, mapSpecial } from '../templates/values/value-info.ts';
import { answerFinder, report } from './arm-goal.ts';
import { type ArmGoal, armObjects } from './arm-objects.ts';
import type { NeededAnswer } from './open-values.ts';
import type { DeploymentProblem } from './substitute.ts';

/** Where a value of a secret output comes from. */
export type OutputSource =
  /** A text that is secret by its type. */
  | { readonly value: string }
  /** A value of a Secret of the namespace. */
  | { readonly secret: { readonly name: string; readonly key: string } }
  /** The current version of a ManagedSecret of the namespace. */
  | { readonly managedSecret: string }
  /** A secret of a vault. */
  | { readonly keyVault: NonNullable<BodySecret['secrets'][number]['keyVault']> }
  /** A list of Azure about a resource of the template. */
  | { readonly answer: NeededAnswer; readonly list: NonNullable<BodySecret['secrets'][number]['azure']> };

/** An output with a value. */
export type GoalOutput =
  | { readonly name: string; readonly text: string }
  /** `expression` is over `parameters('secret0')` and so on, the values of the sources. */
  | { readonly name: string; readonly expression: string; readonly sources: readonly OutputSource[] };

/** The outputs of one location. Use them only when there are no problems. */
export interface GoalOutputs {
  /** Those that need no further answer. */
  readonly outputs: readonly GoalOutput[];
  /** Answers of Azure that the others need. */
  readonly needed: readonly NeededAnswer[];
  readonly problems: readonly DeploymentProblem[];
}

/** A text as it is, and JSON of any other value. */
export const outputText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const keyForm = /^(?!\.\.)[-._a-zA-Z0-9]{1,253}$/;

/** The outputs of a goal, as far as its answers decide them. Outputs without a value are left out. */
export function goalOutputs(goal: ArmGoal): GoalOutputs {
  const problems: DeploymentProblem[] = [];
  const objects = armObjects(goal, problems);
  report(objects.problems, problems);
  if (problems.length > 0) return { outputs: [], needed: [], problems };
  const answerOf = answerFinder(objects);
  const given = new Map(Object.entries(goal.answers ?? {}).map(([id, answer]) => [id.toLowerCase(), answer]));
  const known = Object.fromEntries(
    objects.resources.map(({ id }) => [id, { ...given.get(id.toLowerCase()), readAtRequest: 'lists' as const }]),
  );
  const outputs: GoalOutput[] = [];
  const needed = new Map<string, NeededAnswer>();
  for (const [name, output] of Object.entries(objects.outputs)) {
    const path = `template.arm.json outputs.${name.slice(0, 100)}`;
    try {
      const { body, waitsFor } = resolveUnknowns({ body: templateObject([['value', output.value]]) }, known);
      for (const id of waitsFor) needed.set(id, ownAnswer(id, answerOf));
      if (waitsFor.length > 0) continue;
      const made = outputOf(name, output, body['value'] ?? null, answerOf);
      if (made) outputs.push(made);
    } catch (error) {
      if (!(error instanceof TemplateError || error instanceof TemplateStop)) throw error;
      problems.push({ path, message: error.message });
    }
  }
  return { outputs, needed: [...needed.values()], problems };
}

function ownAnswer(id: string, answerOf: (id: string) => NeededAnswer | undefined): NeededAnswer {
  const answer = answerOf(id);
  if (answer) return answer;
  const message = `The output needs an answer of Azure about ${id}, which is no resource of the template: a deployment reads answers about its own resources only`;
  throw new TemplateError('Unsupported', message);
}

function outputOf(
  name: string,
  { type, value: before }: ExpandedTemplate['outputs'][string],
  value: TemplateValue,
  answerOf: (id: string) => NeededAnswer | undefined,
): GoalOutput | undefined {
  if (value === null) return undefined;
  if (!keyForm.test(name))
    throw new TemplateError('Unsupported', 'The name is no key of a ConfigMap: use letters, digits, -, _ and .');
  const isSecret = isSecureType(type) || [before, value].some((each) => infoOf(each).secret || infoOf(each).reference);
  if (!isSecret) return { name, text: outputText(value) };
  const open = opened(value);
  const { secret, reference } = infoOf(open);
  if (!secret && !reference)
    return { name, expression: "[parameters('secret0')]", sources: [{ value: outputText(open) }] };
  const { expression, sources } = textOfSecret(open);
  const read = sources.map((source): OutputSource => {
    if (source instanceof SecretValue) return { value: outputText(source.reveal()) };
    const { azure, keyVault, managedSecret, name: secretName = '', key = '' } = sourceOf(source);
    if (keyVault) return { keyVault };
    if (managedSecret !== undefined) return { managedSecret };
    return azure ? { answer: ownAnswer(azure.id, answerOf), list: azure } : { secret: { name: secretName, key } };
  });
  return { name, expression, sources: read };
}

/** The value with secrets that hold references as these references: the value of a reference is read later. */
function opened(value: TemplateValue): TemplateValue {
  if (value instanceof SecretValue) return opened(value.reveal() as TemplateValue);
  return mapSpecial(value, (part) => {
    if (!(part instanceof SecretValue)) return part;
    const inner = part.reveal() as TemplateValue;
    return infoOf(inner).reference ? opened(inner) : part;
  });
}
