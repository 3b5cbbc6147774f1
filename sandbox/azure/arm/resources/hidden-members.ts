import { isObject } from '../../../../runtime/base/json.ts';

/** Removes the member at a path, in every item of the lists on the way. */
export function removeAt(value: unknown, [name, ...rest]: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) removeAt(item, [name ?? '', ...rest]);
  } else if (isObject(value) && name !== undefined) {
    if (rest.length === 0) delete value[name];
    else removeAt(value[name], rest);
  }
}

/** Types without a row: members that can only be secrets are never shown. */
export function removeSecrets(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) removeSecrets(item);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && /(password|clientsecret|protectedsettings|connectionstring)$/i.test(name))
      delete value[name];
    else if (name === 'protectedSettings') delete value[name];
    else removeSecrets(member);
  }
}
