import { getPath } from '../values/json-object.ts';

/**
 * A path with members of a resource in place of its braces, such as `/subscriptions/{properties.subscriptionId}`;
 * undefined where the resource lacks one of them, or has a value that is no single segment of a path.
 */
export function filledPath(template: string, resource: unknown): string | undefined {
  let isComplete = true;
  const path = template.replaceAll(/\{([^{}]+)\}/g, (_, member: string) => {
    const value = getPath(resource, member);
    if (typeof value === 'string' && /^[A-Za-z0-9][\w.-]*$/.test(value)) return value;
    isComplete = false;
    return '';
  });
  return isComplete ? path : undefined;
}
