import { TemplateError } from '../problems.ts';

/**
 * The path of a resource below its scope: `/providers/Microsoft.Network/virtualNetworks/v/subnets/s`. Throws TemplateError
 * when the type and the name do not have equally many segments. A name may be empty, as in Azure: many templates make an id
 * that they use under a condition.
 */
export function resourcePath(type: string, names: readonly string[]): string {
  // Azure accepts a slash at the end of a type, and many templates have one.
  const [provider = '', ...types] = type.replace(/\/$/, '').split('/');
  const segments = names.flatMap((name) => name.split('/'));
  if (
    provider === '' ||
    types.length === 0 ||
    types.length !== segments.length ||
    types.includes('') ||
    names.some((name) => name !== '' && name.split('/').includes(''))
  ) {
    const wanted = `'${type.slice(0, 120)}' needs ${types.length} names, and has ${segments.length}`;
    const message = `The type and the names of the resource do not fit: ${wanted}; give one name for each type segment`;
    throw new TemplateError('Evaluation', message);
  }
  return `/providers/${provider}${types.map((each, index) => `/${each}/${segments[index]}`).join('')}`;
}

/** Whether an argument of `resourceId` is the type, which is the first one with a slash in it. */
export const isType = (text: string): boolean => text.includes('/');

/** The id of a resource below a scope. The groups of a subscription have ids without a provider. */
export function resourceIdBelow(scope: string, type: string, names: readonly string[]): string {
  const path = resourcePath(type, names);
  const isGroup = /^microsoft\.resources\/resourcegroups\/?$/i.test(type) && /^\/subscriptions\/[^/]+$/i.test(scope);
  return isGroup ? `${scope}/resourceGroups/${names.join('/')}` : `${scope}${path}`;
}

/** The error of a name that no resource of the template has. `names` are the names of its resources. */
export function notDefined(id: string, names: Iterable<string>): TemplateError {
  const azure = `Deployment template validation failed: 'The resource '${id.slice(0, 300)}' is not defined in the template.`;
  const short = id.startsWith('/')
    ? id
        .split('/')
        .slice(id.split('/').lastIndexOf('providers') + 1)
        .join('/')
    : id;
  const message = `${azure} Name a resource of the template, or give an id and an API version`;
  return new TemplateError('Dependency', message, { near: [short.toLowerCase(), names] });
}
