import type { KnownAnswer } from '../templates/evaluation/scope.ts';
import { type ExpandedResource, resolveUnknowns } from '../templates/expand-template.ts';
import { type Problems, TemplateStop } from '../templates/problems.ts';

/**
 * The answers of Azure that the operator reads when it sends a body: about resources that are not in the template, and
 * lists of those whose objects write no Secret of them. By ARM id.
 */
export function answersAtRequest(
  resources: readonly ExpandedResource[],
  hasListSource: (type: string) => boolean,
): Readonly<Record<string, KnownAnswer>> {
  const own = new Map(resources.map(({ id, type }) => [id.toLowerCase(), type]));
  const answers: Record<string, KnownAnswer> = {};
  for (const id of resources.flatMap(({ waitsFor }) => waitsFor)) {
    const type = own.get(id.toLowerCase());
    if (type === undefined) answers[id] = { readAtRequest: 'all' };
    else if (!hasListSource(type)) answers[id] = { readAtRequest: 'lists' };
  }
  return answers;
}

/** The resources with references to these answers in their bodies. Problems are reported, and their resources left out. */
export function withAnswersAtRequest(
  resources: readonly ExpandedResource[],
  answers: Readonly<Record<string, KnownAnswer>>,
  problems: Problems,
): ExpandedResource[] {
  if (Object.keys(answers).length === 0) return [...resources];
  return resources.flatMap((each) => {
    try {
      return [each.waitsFor.length === 0 ? each : { ...each, ...resolveUnknowns(each, answers) }];
    } catch (error) {
      if (error instanceof TemplateStop) problems.add(error.problem, each.position, error.message);
      else problems.addError(error, each.position);
      return [];
    }
  });
}
